"""Answers and ends without a look at its request, which fills the pipe."""

from turned import say

say()
