{ Write a bot for ants in Pascal: one procedure, and this unit (Free Pascal 3.0 or newer; Delphi's templates work too).

  A complete bot, which takes the food that it stands on, and otherwise walks to the right:

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

  sensors[x, y] is what the ant senses in the 3 x 3 cells around it: x grows to the right, y grows DOWNWARDS, [-1, -1]
  is the top left, [1, -1] the top right, [0, 0] the ant's own cell. memory^ has 32 bytes that belong to this ant, all 0
  at its birth. What GetAction writes there is available in the ant's next turn. One process plays all ants of a hill, so
  keep nothing else between two calls: use local variables.

  1. The program's own statements run first. Then the unit AntsPlay, beside this one, answers the referee with the
     procedure that is exported as GetAction, until the referee closes the input.
  2. A `library` with the same exports is not a program: the program AntsHost, beside this unit, loads it.
  3. `result` is initially aaMoveUp without a mark; sensors are a copy.
  4. Output of Write and WriteLn goes to stderr, the team's log: only answers go to the real stdout.
  5. Exceptions are not caught: the program ends with a message on stderr and a status other than 0, which disqualifies.
  6. The team's name (at most 32 characters) is the result of the exported `function GetTeamName: PAnsiChar; cdecl;`, if
     there is one, or the `name` in the bot.toml of the folder, or empty. }
unit Ants;

{$mode objfpc}{$H+}{$packenum 1}

interface

const
  MAX_MEMORY = 32;

type
  { The actions of an ant. A bite hits an enemy on a neighbouring cell, which cannot move for 8 turns and drops its
    food; aaGet and aaPut take a milligram of food from the ant's own cell or put it there. }
  TAntActionType = (
    aaMoveUp, aaMoveLeft, aaMoveDown, aaMoveRight,
    aaBiteUp, aaBiteLeft, aaBiteDown, aaBiteRight,
    aaGet, aaPut);

  { What the ant senses in one cell. Ants that cannot move count as ants. Outside the field, only isWall is set. }
  TAntSensor = record
    { The hue of the mark. }
    smell: Integer;
    { 100 when the mark is set, one less after each unit, down to 0. }
    smellIntensity: Integer;
    { Another ant of the same hill. }
    isFriend: Boolean;
    { Ants of other hills. }
    isEnemy: Boolean;
    isMyHill: Boolean;
    isEnemyHill: Boolean;
    { Also food on a hill. }
    isFood: Boolean;
    { Outside the field. }
    isWall: Boolean;
  end;

  { What the ant does in this turn. }
  TAntAction = record
    actionType: TAntActionType;
    { Whether it marks its cell before it moves, and the hue of the mark. }
    putSmell: Boolean;
    smell: Integer;
  end;

  TSensors = array[-1..1, -1..1] of TAntSensor;

  PMemory = ^TMemory;
  TMemory = array[0..MAX_MEMORY - 1] of Byte;

  TGetAction = procedure(sensors: TSensors; hasFood: Boolean; memory: PMemory; var result: TAntAction); cdecl;
  TGetTeamName = function: PAnsiChar; cdecl;

{ Answers the referee with a procedure that is not exported, until the input closes. getTeamName may be nil. }
procedure Play(getAction: TGetAction; getTeamName: TGetTeamName);

implementation

uses
  AntsPlay;

procedure Play(getAction: TGetAction; getTeamName: TGetTeamName);
begin
  AntsPlay.Play(AntsPlay.TGetAction(getAction), AntsPlay.TGetTeamName(getTeamName));
end;

end.
