"""Answers and waits for another request, which never comes."""

from turned import read, rest, say

read()
say()
rest()
