from hunter import read, say

read()
say()
