"""Answers, and waits for the next request, which its process will not see."""

from turned import read, rest, say

read()
say()
rest()
