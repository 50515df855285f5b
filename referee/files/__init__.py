"""Files on disk: those that users name, those that the referee keeps, and those that it brings along."""
