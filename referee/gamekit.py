"""What a game needs of the referee: a game imports from here alone.

`Game` is the plug-in and `State` a match in progress; `referee help games` shows the least game and says what each name is for.
Names in here keep their meaning within a major version, as those of `import referee` do.
"""

from referee.boards.chance import copied, pick, shuffled
from referee.contract.clock import TimeControl
from referee.contract.frame import HUES, Control, Frame, Mark, Patch, SeatLine, Sheet, Tone
from referee.contract.game import (
    CONTRACT,
    Answer,
    Column,
    Effect,
    Entrant,
    Event,
    Fault,
    FaultKind,
    FaultName,
    Game,
    Lifetime,
    State,
    Step,
    disqualified,
)
from referee.contract.positions import Contest, MapFacts, Maps, Position, Trial
from referee.contract.programs import (
    ChartCell,
    ChartRuling,
    ConvertedProgram,
    Document,
    Policy,
    Programs,
    Request,
    Ruling,
)
from referee.contract.ranking import Outcome, Ranked, rank
from referee.contract.training import MovingPlanes, Planes, Training
from referee.errors import InvalidReply, ProgramError, SetupError
from referee.text.strict import NO_CODES, MayBeMissing, Strict, read
from referee.text.words import counted, decode_name, quote, shorten, shown_name

__all__ = [
    "CONTRACT", "HUES", "NO_CODES", "Answer", "ChartCell", "ChartRuling", "Column", "Contest", "Control",
    "ConvertedProgram", "Document", "Effect", "Entrant", "Event", "Fault", "FaultKind", "FaultName", "Frame",
    "Game", "InvalidReply", "Lifetime", "MapFacts", "Maps", "Mark", "MayBeMissing", "MovingPlanes", "Outcome",
    "Patch", "Planes", "Policy", "Position", "ProgramError", "Programs", "Ranked", "Request", "Ruling", "SeatLine",
    "SetupError", "Sheet", "State", "Step", "Strict", "TimeControl", "Tone", "Training", "Trial", "copied",
    "counted", "decode_name", "disqualified", "pick", "quote", "rank", "read", "shorten", "shown_name", "shuffled",
]  # fmt: skip
