"""The Python SDK, imported from its folder: it is a single file, not a package."""

import sys

from sdk.programs import ROOT

sys.path.insert(0, str(ROOT / "sdk" / "python"))

from snake import AreaInfo, Outcome, Python, neighbour

__all__ = ["AreaInfo", "Outcome", "Python", "neighbour"]
