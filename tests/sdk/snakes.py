"""The modules of the Python SDKs, imported from their folder, which is not a package."""

import sys

from sdk.programs import ROOT

sys.path.insert(0, str(ROOT / "sdk" / "python"))

import PlayGetAction
from snake import ACTIONS, DIRECTIONS, Action, AreaInfo, Outcome, Python, neighbour

__all__ = ["ACTIONS", "DIRECTIONS", "Action", "AreaInfo", "Outcome", "PlayGetAction", "Python", "neighbour"]
