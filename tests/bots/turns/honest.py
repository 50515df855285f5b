"""Plays by the book."""

from turned import read, say

read()
say()
