// @NAME@: a first bot for ants. It knows its way home, and each ant searches the field at a different slope.
//
// The SDK (the unit Ants) talks to the referee and calls GetAction for each turn of each ant: start reading there, at
// the end. Output of WriteLn goes to the bot's log. Nothing else may be kept between two calls, so the ants' memories
// hold everything that this bot knows.
program Main;

{$mode delphi}

uses
  Ants;

const
  { Out of this many steps of a search, an ant makes as many sideways as its number says, and the others up or down. }
  SLOPE = 11;

type
  { The layout of an ant's memory, which begins as zeros. }
  PKept = ^TKept;
  TKept = packed record
    { From 1; 0 before its first turn. }
    number: Byte;
    { Its distance from its hill to the right and down. }
    x, y: ShortInt;
    headsRight, headsDown: Boolean;
    { The steps of its search. }
    steps: Byte;
  end;

{ Makes a move to the neighbouring cell dx to the right and dy down, and counts it. }
function Step(var kept: TKept; dx, dy: Integer): TAntActionType;
begin
  Inc(kept.x, dx);
  Inc(kept.y, dy);
  if dx < 0 then
    Result := aaMoveLeft
  else if dx > 0 then
    Result := aaMoveRight
  else if dy < 0 then
    Result := aaMoveUp
  else
    Result := aaMoveDown;
end;

{ The first turn, on the hill: ants are identical at birth, and number themselves by the mark on the hill. }
procedure Start(var kept: TKept; const sensors: TSensors);
begin
  kept.number := 1;
  if sensors[0, 0].smellIntensity > 0 then
    kept.number := (sensors[0, 0].smell and 255) mod 255 + 1;
  kept.headsRight := not sensors[1, 0].isWall;
  kept.headsDown := not sensors[0, 1].isWall;
end;

{ A step towards the hill, sideways first. }
function GoHome(var kept: TKept): TAntActionType;
begin
  if kept.x > 0 then
    Result := Step(kept, -1, 0)
  else if kept.x < 0 then
    Result := Step(kept, 1, 0)
  else if kept.y > 0 then
    Result := Step(kept, 0, -1)
  else
    Result := Step(kept, 0, 1);
end;

{ A step to food beside the ant, or along its slope, which turns back at walls. }
function Search(var kept: TKept; const sensors: TSensors): TAntActionType;
const
  SIDES: array[0..3, 0..1] of Integer = ((0, -1), (-1, 0), (0, 1), (1, 0));
var
  i: Integer;
  cell: TAntSensor;
begin
  for i := 0 to 3 do
  begin
    cell := sensors[SIDES[i, 0], SIDES[i, 1]];
    if cell.isFood and not cell.isMyHill then
      Exit(Step(kept, SIDES[i, 0], SIDES[i, 1]));
  end;
  if sensors[1, 0].isWall or sensors[-1, 0].isWall then
    kept.headsRight := sensors[-1, 0].isWall;
  if sensors[0, 1].isWall or sensors[0, -1].isWall then
    kept.headsDown := sensors[0, -1].isWall;
  kept.steps := (kept.steps + 1) mod SLOPE;
  if kept.steps >= kept.number then
  begin
    if kept.headsDown then
      Exit(Step(kept, 0, 1));
    Exit(Step(kept, 0, -1));
  end;
  if kept.headsRight then
    Result := Step(kept, 1, 0)
  else
    Result := Step(kept, -1, 0);
end;

{ The action of this turn. sensors[x, y] are the cells around: [-1, -1] is the top left, [0, 0] the ant's own. }
procedure GetAction(sensors: TSensors; hasFood: Boolean; memory: PMemory; var result: TAntAction); cdecl;
var
  kept: PKept;
  here: TAntSensor;
begin
  kept := PKept(memory);
  here := sensors[0, 0];
  if kept.number = 0 then
  begin
    Start(kept^, sensors);
    result.putSmell := True;  // for the next ant to be born
    result.smell := kept.number;
    result.actionType := Search(kept^, sensors);
  end
  else if hasFood and here.isMyHill then
    result.actionType := aaPut
  else if hasFood then
    result.actionType := GoHome(kept^)
  else if here.isFood and not here.isMyHill then
    result.actionType := aaGet
  else
    result.actionType := Search(kept^, sensors);
end;

function GetTeamName: PAnsiChar; cdecl;
begin
  Result := '@NAME@';
end;

exports
  GetAction, GetTeamName;

begin
end.
