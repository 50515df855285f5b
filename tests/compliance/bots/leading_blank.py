"""There is a blank before its letter."""

from parts import play

play("bot\n", " N\n")
