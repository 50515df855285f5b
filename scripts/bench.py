"""What `scripts/bench` starts; processes that it starts in turn find the package `benchmarks` beside this file too."""

import sys

if __name__ == "__main__":
    from benchmarks.__main__ import main

    sys.exit(main(sys.argv[1:]))
