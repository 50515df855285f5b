{ Ploughman: ploughs the field. Each ant has its own lanes, three cells apart, since it sees three cells at a time; it
  carries home what it finds, comes back to where it left off, and ploughs on.

  An ant counts its distance from its hill in the corner: u cells along one wall, v along the other. Lanes run along u. }
program Ploughman;

{$mode delphi}

uses
  Ants;

const
  LANES = 11;
  WIDTH = 3;

type
  { The layout of an ant's memory. }
  PKept = ^TKept;
  TKept = packed record
    number: Byte;             { from 1; 0 before its first turn }
    u, v: Byte;               { where it is }
    right, lower: Boolean;    { whether the hill is at the right wall, at the lower one }
    lane: Byte;               { from 0 on }
    inwards: Boolean;         { whether it ploughs towards the hill's wall }
    returns: Boolean;         { whether it is on its way to where it left off }
    leftU, leftV: Byte;       { where that is }
  end;

  TSide = record
    u, v: Integer;
  end;

const
  AROUND: array[0..7] of TSide = (
    (u: 1; v: 0), (u: 0; v: 1), (u: -1; v: 0), (u: 0; v: -1), (u: 1; v: 1), (u: 1; v: -1), (u: -1; v: 1), (u: -1; v: -1));

function Seen(const sensors: TSensors; const kept: TKept; u, v: Integer): TAntSensor;
begin
  if kept.right then
    u := -u;
  if kept.lower then
    v := -v;
  Result := sensors[u, v];
end;

{ A step of one cell along u or v; updates the position. }
function Step(var kept: TKept; u, v: Integer): TAntActionType;
begin
  kept.u := (kept.u + u) and 255;
  kept.v := (kept.v + v) and 255;
  if kept.right then
    u := -u;
  if kept.lower then
    v := -v;
  if u < 0 then
    Result := aaMoveLeft
  else if u > 0 then
    Result := aaMoveRight
  else if v < 0 then
    Result := aaMoveUp
  else
    Result := aaMoveDown;
end;

{ The step towards a cell at distance u and v, along u first. }
function Towards(var kept: TKept; u, v: Integer): TAntActionType;
begin
  if u > 0 then
    Result := Step(kept, 1, 0)
  else if u < 0 then
    Result := Step(kept, -1, 0)
  else if v > 0 then
    Result := Step(kept, 0, 1)
  else
    Result := Step(kept, 0, -1);
end;

{ A step along the lane, or to it, or to the next one. }
function Plough(const sensors: TSensors; var kept: TKept): TAntActionType;
var
  across, along, turn: Integer;
begin
  for turn := 1 to 3 do
  begin
    across := WIDTH * kept.lane + 1 - kept.v;
    // In a field of the usual size, the last lane would be outside: it becomes the row along the wall.
    if (across > 0) and not Seen(sensors, kept, 0, 1).isWall then
      Exit(Step(kept, 0, 1));
    if (across < 0) and not Seen(sensors, kept, 0, -1).isWall then
      Exit(Step(kept, 0, -1));
    along := 1;
    if kept.inwards then
      along := -1;
    if not Seen(sensors, kept, along, 0).isWall then
      Exit(Step(kept, along, 0));
    kept.inwards := not kept.inwards;
    kept.lane := (kept.lane + 4) mod LANES;
  end;
  Result := aaPut;
end;

function Search(const sensors: TSensors; var kept: TKept): TAntActionType;
var
  side: TSide;
  cell: TAntSensor;
begin
  for side in AROUND do
  begin
    cell := Seen(sensors, kept, side.u, side.v);
    if cell.isFood and not cell.isMyHill then
      Exit(Towards(kept, side.u, side.v));
  end;
  if (kept.u = kept.leftU) and (kept.v = kept.leftV) then
    kept.returns := False;
  if kept.returns then
    Result := Towards(kept, kept.leftU - kept.u, kept.leftV - kept.v)
  else
    Result := Plough(sensors, kept);
end;

procedure GetAction(sensors: TSensors; hasFood: Boolean; memory: PMemory; var result: TAntAction); cdecl;
var
  kept: PKept;
  here: TAntSensor;
begin
  kept := PKept(memory);
  here := sensors[0, 0];
  if kept.number = 0 then
  begin
    // On the hill, where the ant before this one has marked its number.
    kept.number := 1;
    if here.smellIntensity > 0 then
      kept.number := (here.smell and 255) mod 255 + 1;
    kept.right := sensors[1, 0].isWall;
    kept.lower := sensors[0, 1].isWall;
    kept.lane := kept.number mod LANES;
    result.putSmell := True;
    result.smell := kept.number;
  end;
  if hasFood and here.isMyHill then
    result.actionType := aaPut
  else if hasFood then
    result.actionType := Towards(kept^, -kept.u, -kept.v)
  else if here.isFood and not here.isMyHill then
  begin
    kept.leftU := kept.u;
    kept.leftV := kept.v;
    kept.returns := True;
    result.actionType := aaGet;
  end
  else
    result.actionType := Search(sensors, kept^);
end;

function GetTeamName: PAnsiChar; cdecl;
begin
  Result := 'Ploughman';
end;

exports
  GetAction, GetTeamName;

begin
end.
