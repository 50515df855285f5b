from hunter import read, say

read()
say("9\nN\n" + "m" * 70_000)
