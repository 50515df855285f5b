"""The program behind `scripts/bench`. Processes that it starts also find the package `benchmarks` in this folder."""

import sys

if __name__ == "__main__":
    from benchmarks.__main__ import main

    sys.exit(main(sys.argv[1:]))
