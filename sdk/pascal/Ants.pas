{ Write a bot for ants in Pascal: one procedure, and this unit (Free Pascal 3.0 or newer; Delphi's own templates play, too).

  A whole bot; it takes what it stands on and else walks on to the right:

      program MyAnts;

      uses
        Ants;

      procedure GetAction(sensors: TSensors; hasFood: Boolean; memory: PMemory; var result: TAntAction); cdecl;
      begin
        if sensors[0, 0].isFood and not hasFood then
          result.actionType := aaGet
        else
          result.actionType := aaMoveRight;
        result.putSmell := True;
        result.smell := 7;
      end;

      exports
        GetAction;

      begin
      end.

  sensors[x, y] is what the ant senses of the 3 x 3 cells around it: x grows to the right, y grows DOWNWARDS, [-1, -1] is the
  top left, [1, -1] the top right, [0, 0] the ant's own cell. memory^ are 32 bytes that only this ant has, all 0 at its birth:
  what GetAction writes there is there again when the same ant is asked the next time. One process plays all ants of a hill,
  and nothing else may be kept between two calls: use local variables.

  1. The program's own statements run first. When they have ended, the unit AntsPlay, beside this one, answers the referee by
     the procedure that is exported as GetAction, until the referee closes our input.
  2. A `library` with the same exports is no program: the program AntsHost, beside this unit, loads it.
  3. `result` begins as aaMoveUp without a mark; sensors are the procedure's own.
  4. What Write and WriteLn write goes to stderr, the team's own log: only answers go to the real stdout.
  5. Nothing is caught. An exception ends the program with its message on stderr and a status other than 0, which disqualifies.
  6. The team's name is what the exported `function GetTeamName: PAnsiChar; cdecl;` returns, if there is one (at most 32
     bytes), else the `name` in the bot.toml of the folder, else empty. }
unit Ants;

{$mode objfpc}{$H+}{$packenum 1}

interface

const
  MAX_MEMORY = 32;

type
  { Everything that an ant can do. A bite hits an enemy on a neighbouring cell, which cannot move for 8 turns and drops what it
    carries; aaGet and aaPut take a milligram of food from the ant's own cell or put it there. }
  TAntActionType = (
    aaMoveUp, aaMoveLeft, aaMoveDown, aaMoveRight,
    aaBiteUp, aaBiteLeft, aaBiteDown, aaBiteRight,
    aaGet, aaPut);

  { What is sensed of one cell. Ants that cannot move count as ants; of a cell outside nothing but isWall is set. }
  TAntSensor = record
    { The hue of the mark. }
    smell: Integer;
    { 100 when it is set, one less after each unit, down to 0. }
    smellIntensity: Integer;
    { Another ant of the own hill. }
    isFriend: Boolean;
    { Ants of other hills. }
    isEnemy: Boolean;
    isMyHill: Boolean;
    isEnemyHill: Boolean;
    { Also of food on a hill. }
    isFood: Boolean;
    { What lies around the field. }
    isWall: Boolean;
  end;

  { What the ant does in this turn. }
  TAntAction = record
    actionType: TAntActionType;
    { Whether it marks its cell, before it moves, and the hue of the mark. }
    putSmell: Boolean;
    smell: Integer;
  end;

  TSensors = array[-1..1, -1..1] of TAntSensor;

  PMemory = ^TMemory;
  TMemory = array[0..MAX_MEMORY - 1] of Byte;

  TGetAction = procedure(sensors: TSensors; hasFood: Boolean; memory: PMemory; var result: TAntAction); cdecl;
  TGetTeamName = function: PAnsiChar; cdecl;

{ Answers the referee by a procedure that is not exported, until the referee closes our input. getTeamName may be nil. }
procedure Play(getAction: TGetAction; getTeamName: TGetTeamName);

implementation

uses
  AntsPlay;

procedure Play(getAction: TGetAction; getTeamName: TGetTeamName);
begin
  AntsPlay.Play(AntsPlay.TGetAction(getAction), AntsPlay.TGetTeamName(getTeamName));
end;

end.
