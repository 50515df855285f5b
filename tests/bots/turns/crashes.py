"""Falls over before it has answered."""

from turned import read

raise RuntimeError(f"no way with {len(read())} bytes")
