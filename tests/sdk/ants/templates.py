"""Bots that use only the contest's documents, in the style that each language had at that time. All bots do the same.

The other constants are the contest's interfaces, which a contestant's folder contains as files. They are the contest's text, word
for word; the files of the unit `Ants` that the contest does not print are its first and last lines.

A bot writes all its senses into its memory, so its answer shows whether they were passed correctly. Byte 0 counts the calls,
and byte 31 counts them backwards. Bytes 1 to 9 are the flags of the cells, and 10 to 18 their intensities, column by column.
The action is 8 without food and 9 with it, except for moves and bites that some cells cause. The smell is a sum over all cells.
"""

from pathlib import Path

from sdk.ants.asking import Asked

_CONTEST = Path(__file__).with_name("contest")
CPP_INTERFACE = (_CONTEST / "IAntLogic.hpp").read_text(encoding="utf-8")
PASCAL_INTERFACE = (_CONTEST / "Ants.pas").read_text(encoding="utf-8")
PYTHON_INTERFACE = (_CONTEST / "InterGetAction.py").read_text(encoding="utf-8")

CPP = """\
#include "IAntLogic.hpp"

int flags(const AntSensor &s)
{
    return s.isFriend + 2*s.isEnemy + 4*s.isMyHill + 8*s.isEnemyHill + 16*s.isFood + 32*s.isWall;
}

AntAction GetAction(const Ant &ant, AntSensor sensors[3][3])
{
    AntAction action;
    char* memory = ant.getMemory();
    memory[0]++;
    memory[MAX_MEMORY - 1]--;
    unsigned smell = 0;
    for (int x = 0; x < 3; x++)
        for (int y = 0; y < 3; y++)
        {
            memory[1 + x*3 + y] = flags(sensors[x][y]);
            memory[10 + x*3 + y] = sensors[x][y].smellIntensity;
            smell += sensors[x][y].smell % 1000 * (1 + x*3 + y);
        }
    action.actionType = ant.hasFood() ? PUT : GET;
    if (sensors[0][0].isWall) action.actionType = MOVE_LEFT;
    else if (sensors[2][0].isWall) action.actionType = MOVE_UP;
    else if (sensors[0][2].isEnemy) action.actionType = BITE_DOWN;
    else if (sensors[2][1].isEnemy) action.actionType = BITE_RIGHT;
    action.putSmell = sensors[1][1].isFood;
    action.smell = smell;
    for (int x = 0; x < 3; x++)
        for (int y = 0; y < 3; y++)
            sensors[x][y].isFood = sensors[x][y].isWall = true;
    return action;
}
"""

PYTHON = """\
from InterGetAction import *

def flags(s):
\treturn s.isFriend + 2*s.isEnemy + 4*s.isMyHill + 8*s.isEnemyHill + 16*s.isFood + 32*s.isWall

def GetAction(ant, sensors):
\tant.memory[0] += 1
\tant.memory[31] -= 1
\tsmell = 0
\tfor x in range(3):
\t\tfor y in range(3):
\t\t\tant.memory[1 + x*3 + y] = flags(sensors[x][y])
\t\t\tant.memory[10 + x*3 + y] = sensors[x][y].smellIntensity
\t\t\ts = sensors[x][y].smell
\t\t\tsmell += (abs(s) % 1000 if s > 0 else -(abs(s) % 1000)) * (1 + x*3 + y)
\taction = AntAction(ActionType["PUT"] if ant.hasFood else ActionType["GET"], sensors[1][1].isFood, smell)
\tif sensors[0][0].isWall: action.actionType = ActionType["MOVE_LEFT"]
\telif sensors[2][0].isWall: action.actionType = ActionType["MOVE_UP"]
\telif sensors[0][2].isEnemy: action.actionType = ActionType["BITE_DOWN"]
\telif sensors[2][1].isEnemy: action.actionType = ActionType["BITE_RIGHT"]
\tfor x in range(3):
\t\tfor y in range(3):
\t\t\tsensors[x][y] = Sensor(0, 0, True, True, True, True, True, True)
\treturn action;
"""

_PASCAL = """\
uses
  Ants;

function Flags(const s: TAntSensor): Byte;
begin
  Result := Ord(s.isFriend) + 2*Ord(s.isEnemy) + 4*Ord(s.isMyHill) + 8*Ord(s.isEnemyHill) + 16*Ord(s.isFood) + 32*Ord(s.isWall);
end;

procedure GetAction(sensors: TSensors; hasFood: Boolean; memory: PMemory; var result: TAntAction); cdecl;
var
  x, y, smell: Integer;
begin
  memory[0] := memory[0] + 1;
  memory^[MAX_MEMORY - 1] := memory^[MAX_MEMORY - 1] - 1;
  smell := 0;
  for x := -1 to 1 do
    for y := -1 to 1 do
    begin
      memory[5 + x*3 + y] := Flags(sensors[x, y]);
      memory[14 + x*3 + y] := sensors[x][y].smellIntensity;
      smell := smell + sensors[x, y].smell mod 1000 * (5 + x*3 + y);
    end;
  if hasFood then
    result.actionType := aaPut
  else
    result.actionType := aaGet;
  if sensors[-1, -1].isWall then result.actionType := aaMoveLeft
  else if sensors[1, -1].isWall then result.actionType := aaMoveUp
  else if sensors[-1, 1].isEnemy then result.actionType := aaBiteDown
  else if sensors[1, 0].isEnemy then result.actionType := aaBiteRight;
  result.putSmell := sensors[0, 0].isFood;
  result.smell := smell;
  for x := -1 to 1 do
    for y := -1 to 1 do
      sensors[x, y].isFood := True;
end;

exports
  GetAction;

begin
end.
"""
DELPHI_LIBRARY = "library DelphiSample;\n\n" + _PASCAL
DELPHI_PROGRAM = "program DelphiSample;\n\n" + _PASCAL
FREE_PASCAL = "program Sample;\n\n{$mode delphi}\n\n" + _PASCAL


def expected(asked: Asked) -> str:
    """The answer that each bot must give."""
    memory, smell = bytearray(asked.memory), 0
    memory[0], memory[31] = (memory[0] + 1) % 256, (memory[31] - 1) % 256
    for x in (-1, 0, 1):
        for y in (-1, 0, 1):
            cell, index = asked.cell(x, y), 5 + x * 3 + y
            memory[index] = sum(1 << bit for bit, flag in enumerate(cell[2:]) if flag)
            memory[index + 9] = cell.intensity
            smell += (cell.smell % 1000 if cell.smell > 0 else -(-cell.smell % 1000)) * index
    action = 9 if asked.food else 8
    if asked.cell(-1, -1).wall:
        action = 1
    elif asked.cell(1, -1).wall:
        action = 0
    elif asked.cell(-1, 1).enemy:
        action = 6
    elif asked.cell(1, 0).enemy:
        action = 7
    return f"{action} 1 {smell} {memory.hex()}" if asked.cell(0, 0).food else f"{action} 0 0 {memory.hex()}"
