"""Answers and exits without reading its request, which fills the pipe."""

from turned import say

say()
