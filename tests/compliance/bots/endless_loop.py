"""Loops forever when its python has no body."""

from parts import own, requests, say

for lines in requests():
    while lines != ["getName"] and own(lines)[1] == 1:
        pass
    say("bot\n" if lines == ["getName"] else "N\n")
