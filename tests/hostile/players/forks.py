"""Would like to be two."""

import os

os.fork()
