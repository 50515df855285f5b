"""Plays correctly."""

from turned import read, say

read()
say()
