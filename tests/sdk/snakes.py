"""The Python SDK, imported from where it lies: it is one file beside the package, and no package of its own."""

import sys

from sdk.programs import ROOT

sys.path.insert(0, str(ROOT / "sdk" / "python"))

from snake import AreaInfo, Outcome, Python, neighbour

__all__ = ["AreaInfo", "Outcome", "Python", "neighbour"]
