"""Its name is red."""

from parts import play

play("\x1b[31mred\n")
