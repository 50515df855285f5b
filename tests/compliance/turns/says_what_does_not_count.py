from hunter import read, say

read()
say("up\nq\nmine\n")
