import sys

from hunter import read, say

read()
say()
sys.exit(3)
