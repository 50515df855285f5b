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

  1. The program's own statements run first. When they have ended, this unit answers the referee by the procedure that is
     exported as GetAction, until the referee closes our input.
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
  {$ifdef UNIX}BaseUnix,{$endif} SysUtils;

const
  NAME_BYTES = 32;
  ROOM = 4096;

type
  EAntsError = class(Exception);

  { Lines of a file that may come in any pieces. }
  TLines = class
  private
    FHandle: THandle;
    FBuffer: array[0..ROOM - 1] of AnsiChar;
    FNext, FEnd: LongInt;
  public
    constructor Create(handle: THandle);
    { The next line without its end; False at the end of the file. }
    function Next(out line: RawByteString): Boolean;
  end;

procedure ExportedAction(sensors: TSensors; hasFood: Boolean; memory: PMemory; var result: TAntAction); cdecl;
  weakexternal name 'GetAction';
function ExportedName: PAnsiChar; cdecl; weakexternal name 'GetTeamName';

constructor TLines.Create(handle: THandle);
begin
  FHandle := handle;
end;

function TLines.Next(out line: RawByteString): Boolean;
var
  first: LongInt;
  part: RawByteString;
begin
  line := '';
  repeat
    if FNext = FEnd then
    begin
      FNext := 0;
      FEnd := FileRead(FHandle, FBuffer, ROOM);
      if FEnd <= 0 then
      begin
        FEnd := 0;
        Exit(line <> '');
      end;
    end;
    first := FNext;
    while (FNext < FEnd) and (FBuffer[FNext] <> #10) do
      Inc(FNext);
    SetString(part, @FBuffer[first], FNext - first);
    line := line + part;
  until FNext < FEnd;
  Inc(FNext);
  if (line <> '') and (line[Length(line)] = #13) then
    SetLength(line, Length(line) - 1);
  Result := True;
end;

{ The next of the numbers that are separated by blanks. }
function Number(const line: RawByteString; var at: LongInt): LongInt;
var
  value: Int64;
  negative: Boolean;
begin
  while (at <= Length(line)) and (line[at] = ' ') do
    Inc(at);
  negative := (at <= Length(line)) and (line[at] = '-');
  if negative then
    Inc(at);
  value := 0;
  while (at <= Length(line)) and (line[at] in ['0'..'9']) do
  begin
    value := value * 10 + Ord(line[at]) - Ord('0');
    Inc(at);
  end;
  if negative then
    value := -value;
  Result := LongInt(value);
end;

function Sensed(const line: RawByteString): TAntSensor;
var
  at: LongInt;
begin
  at := 1;
  Result.smell := Number(line, at);
  Result.smellIntensity := Number(line, at);
  Result.isFriend := Number(line, at) <> 0;
  Result.isEnemy := Number(line, at) <> 0;
  Result.isMyHill := Number(line, at) <> 0;
  Result.isEnemyHill := Number(line, at) <> 0;
  Result.isFood := Number(line, at) <> 0;
  Result.isWall := Number(line, at) <> 0;
end;

function Remembered(const line: RawByteString): TMemory;

  function Digit(letter: AnsiChar): Byte;
  begin
    case letter of
      '0'..'9': Result := Ord(letter) - Ord('0');
      'a'..'f': Result := Ord(letter) - Ord('a') + 10;
    else
      raise EAntsError.Create('not an ant''s memory: ' + line);
    end;
  end;

var
  i: LongInt;
begin
  if Length(line) <> 2 * MAX_MEMORY then
    raise EAntsError.Create('not an ant''s memory: ' + line);
  for i := 0 to MAX_MEMORY - 1 do
    Result[i] := Digit(line[2 * i + 1]) * 16 + Digit(line[2 * i + 2]);
end;

function HexOf(const memory: TMemory): RawByteString;
const
  DIGITS: array[0..15] of AnsiChar = '0123456789abcdef';
var
  i: LongInt;
begin
  SetLength(Result, 2 * MAX_MEMORY);
  for i := 0 to MAX_MEMORY - 1 do
  begin
    Result[2 * i + 1] := DIGITS[memory[i] shr 4];
    Result[2 * i + 2] := DIGITS[memory[i] and 15];
  end;
end;

{ What is wrong with a name, or nothing. }
function FaultOf(const name: RawByteString): string;
var
  i: LongInt;
begin
  for i := 1 to Length(name) do
    if name[i] in [#0..#31, #127] then
      Exit('it contains a control character');
  if Length(name) > NAME_BYTES then
    Exit('it is longer than 32 bytes');
  Result := '';
end;

{ What stands in quotes behind `name =` in a line of a bot.toml; False where the line says no name. }
function SaysName(const line: RawByteString; out name: RawByteString): Boolean;
var
  at: LongInt;
  behind: RawByteString;
begin
  name := '';
  at := Pos('=', line);
  Result := (at > 0) and (TrimRight(Copy(line, 1, at - 1)) = 'name');
  if not Result then
    Exit;
  behind := TrimLeft(Copy(line, at + 1, Length(line)));
  if (behind = '') or not (behind[1] in ['"', '''']) then
    Exit;
  at := Pos(behind[1], Copy(behind, 2, Length(behind)));
  if (at > 0) and (Pos('\', Copy(behind, 2, at - 1)) = 0) then
    name := Copy(behind, 2, at - 1);
end;

{ The name in the bot.toml of this folder, cut to what the protocol allows; empty where there is none in plain letters. }
function NameOfManifest: RawByteString;
var
  handle: THandle;
  lines: TLines;
  line: RawByteString;
  size: LongInt;
begin
  Result := '';
  handle := FileOpen('bot.toml', fmOpenRead);
  if handle = feInvalidHandle then
    Exit;
  lines := TLines.Create(handle);
  while lines.Next(line) and not SaysName(line, Result) do;
  lines.Free;
  FileClose(handle);
  if Length(Result) > NAME_BYTES then
  begin
    size := NAME_BYTES;
    while (size > 0) and ((Ord(Result[size + 1]) and $C0) = $80) do
      Dec(size);  // no letter is cut in two
    SetLength(Result, size);
  end;
  if FaultOf(Result) <> '' then
    Result := '';
end;

var
  Played: Boolean = False;

procedure Send(handle: THandle; line: RawByteString);
var
  sent, count: LongInt;
begin
  line := line + #10;
  sent := 0;
  while sent < Length(line) do
  begin
    count := FileWrite(handle, line[sent + 1], Length(line) - sent);
    if count <= 0 then
      raise EAntsError.Create('the answer cannot be written');
    Inc(sent, count);
  end;
end;

{ One answer; False where the input ends within the request. }
function Answered(lines: TLines; getAction: TGetAction; out reply: RawByteString): Boolean;
var
  food, line: RawByteString;
  memory: TMemory;
  sensors: TSensors;
  action: TAntAction;
  x, y, marks, smell: LongInt;
begin
  reply := '';
  if not lines.Next(food) or not lines.Next(line) then
    Exit(False);
  memory := Remembered(line);
  for y := -1 to 1 do
    for x := -1 to 1 do
    begin
      if not lines.Next(line) then
        Exit(False);
      sensors[x, y] := Sensed(line);
    end;
  FillChar(action, SizeOf(action), 0);
  getAction(sensors, food = '1', @memory, action);
  marks := Ord(Ord(action.putSmell) <> 0);
  smell := marks * action.smell;
  reply := IntToStr(Ord(action.actionType)) + ' ' + IntToStr(marks) + ' ' + IntToStr(smell) + ' ' + HexOf(memory);
  Result := True;
end;

procedure Play(getAction: TGetAction; getTeamName: TGetTeamName);
var
  answers: THandle;
  lines: TLines;
  request, reply, name: RawByteString;
begin
  Played := True;
  answers := StdOutputHandle;
  {$ifdef UNIX}
  // What a library writes that was built by itself goes to the log, too.
  answers := FpDup(StdOutputHandle);
  FpDup2(StdErrorHandle, StdOutputHandle);
  {$else}
  TextRec(Output).Handle := StdErrorHandle;
  {$endif}
  // What is written is in the log at once, even if the bot crashes.
  TextRec(Output).FlushFunc := TextRec(Output).InOutFunc;
  if getTeamName <> nil then
    name := getTeamName()
  else
    name := NameOfManifest;
  if FaultOf(name) <> '' then
    raise EAntsError.Create('the name cannot be: ' + FaultOf(name));
  lines := TLines.Create(StdInputHandle);
  while lines.Next(request) do
    if request = 'getName' then
      Send(answers, name)
    else if request <> 'getAction' then
      raise EAntsError.Create('the referee sent an unknown request: ' + request)
    else if Answered(lines, getAction, reply) then
      Send(answers, reply);
  lines.Free;
  FileClose(answers);
end;

var
  Before: CodePointer;

{ Comes after the program's own statements, and before any unit is closed. }
procedure PlayExported;
begin
  ExitProc := Before;
  if Played or (ExitCode <> 0) or (ErrorAddr <> nil) then
    Exit;
  if CodePointer(@ExportedAction) = nil then
  begin
    WriteLn(StdErr, 'there is no GetAction: write `exports GetAction;` behind the procedure');
    ExitCode := 1;
  end
  else
    Play(@ExportedAction, TGetTeamName(@ExportedName));
end;

initialization
  if not IsLibrary then
  begin
    Before := ExitProc;
    ExitProc := @PlayExported;
  end;
end.
