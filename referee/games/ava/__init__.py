"""ava: two to four tail-biting snakes, ranked by length. The rules are in README.md."""
