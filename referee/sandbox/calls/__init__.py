"""Which system calls a program may make, as data and as what the kernel loads."""
