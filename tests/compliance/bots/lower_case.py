"""Its letters are small."""

from parts import play

play("bot\n", "n\n")
