"""Writes two lines and waits for another request, which never comes."""

from turned import read, rest, say

read()
say(b"4\nN\n")
rest()
