"""viper: two to four tail-biting snakes, ranked by survival and then by length. The rules are in README.md."""
