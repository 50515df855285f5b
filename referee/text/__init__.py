"""Text that comes in and goes out: untrusted words, JSON and TOML, amounts with units, and HTML."""
