"""Its name has 40 characters."""

from parts import play

play("0123456789" * 4 + "\n")
