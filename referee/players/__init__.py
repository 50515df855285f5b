"""Players: processes and in-process policies, all with the same interface."""
