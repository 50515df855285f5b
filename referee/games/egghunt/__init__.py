"""The Easter egg hunt: players that see two cells far collect eggs, all moving at the same moment. The rules are in README.md."""
