"""Its answers have no end."""

from parts import play

play("bot", "N")
