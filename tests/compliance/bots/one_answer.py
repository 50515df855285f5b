"""Answers once and goes."""

from parts import requests, say

say("bot\n" if next(requests()) else "")
