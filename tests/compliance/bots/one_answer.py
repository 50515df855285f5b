"""Answers once and exits."""

from parts import requests, say

say("bot\n" if next(requests()) else "")
