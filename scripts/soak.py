"""The program behind `scripts/soak`."""

import sys

if __name__ == "__main__":
    from soaking.__main__ import main

    sys.exit(main(sys.argv[1:]))
