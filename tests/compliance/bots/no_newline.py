"""Its answers have no line feed."""

from parts import play

play("bot", "N")
