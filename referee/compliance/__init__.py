"""Checks whether a bot is ready for a contest, in numbered steps; a failure has a name and says what to change."""
