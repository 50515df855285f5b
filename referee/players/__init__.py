"""Who sits behind a seat: processes and in-process policies, all asked in the same way."""
