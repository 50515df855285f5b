"""ELF files: what they ask for, and where this machine has it."""
