"""Why a match went as it did: leads, gains and losses, turns that came to nothing, slow answers, faults. Pure.

`explain` reads a saved match once and gives an `Explanation`, a value with step numbers. `explanation_lines` writes it as plain
text, the same for terminals and pages, and `document` as JSON.
"""

from referee.analysis.commands import Commands
from referee.analysis.document import document
from referee.analysis.explanation import Explanation, explain
from referee.analysis.text import explanation_lines, winner

__all__ = ["Commands", "Explanation", "document", "explain", "explanation_lines", "winner"]
