"""The commands of an arena: `referee arena …` and `referee submit`."""
