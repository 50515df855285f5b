"""Tail-biting snakes: the board, the rules and the patterns that `ava` and `viper` share."""
