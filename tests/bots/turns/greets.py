"""Says something in its log before it reads."""

from turned import log, read, say

log("hello")
read()
say()
