// @NAME@: a first bot for SnakeCore. It collects blocks, carries them home, and keeps its body out of rivals' reach.
//
// The SDK (the unit Snake) talks to the referee and calls Choose once a turn: start reading there, at the end. Output
// of WriteLn goes to the bot's log, so WriteLn(area.Text) shows what the bot sees. Rule numbers are those of
// `referee rules`.
program Main;

{$mode objfpc}{$H+}

uses
  Math, Snake;

const
  { It delivers with this many blocks. n blocks score n(n + 1)/2 (rule 13), so larger loads score more and risk more. }
  ENOUGH = 10;

{ Where I would go without rivals: to a reactor if I carry enough blocks or none are left, or else to the nearest
  block. }
function Errand(const area: TAreaInfo): Char;
begin
  if Length(area.Me.Body) >= ENOUGH then
    Result := area.FirstStep([area.Reactors, area.FreeBlocks])
  else if Length(area.Me.Body) > 0 then
    Result := area.FirstStep([area.FreeBlocks, area.Reactors])
  else
    Result := area.FirstStep([area.FreeBlocks]);
end;

{ How many blocks a rival could bite off me in its next turn if I did this now (rule 11). }
function Danger(const area: TAreaInfo; action: Char): Integer;
var
  later: TAreaInfo;
  rival: TPython;
  direction: Char;
  bite: TOutcome;
begin
  Result := 0;
  later := area.After(action);
  for rival in later.Rivals do
    for direction in DIRECTIONS do
    begin
      bite := later.Outcome(direction, rival.Index);
      if bite.Victim = later.Me.Index then
        Result := Max(Result, bite.Points);
    end;
end;

{ The action of this turn: one of U L D R (move), N (wait), A (raise the shield). }
function Choose(const area: TAreaInfo): Char;
var
  action: Char;
begin
  Result := Errand(area);
  // Another step is better only if it is safer. It may lead to an empty cell, to my own tail, which moves away in time
  // (rule 12), or to a free block. Waiting is not an option, since two careful bots would wait for each other.
  for action in DIRECTIONS do
    if (area.Outcome(action).Kind in [TKind.Move, TKind.Eat])
      and (Danger(area, action) < Danger(area, Result)) then
      Result := action;
  // No move is safe, but an energy block protects me for ten turns (rule 14).
  if (Danger(area, Result) > 0) and (area.Me.Energy > 0) then
    Result := 'A';
end;

begin
  Run('@NAME@', @Choose);
end.
