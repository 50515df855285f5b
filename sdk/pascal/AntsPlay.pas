{ The part of the SDK for ants that talks to the referee. Bots need not name it: the unit Ants uses it, and the referee
  adds it to a program with another unit Ants beside it, such as the contest's. By hand:

      fpc -O2 -gl -FuSDK -FU. -Mdelphi -FaAntsPlay,SysUtils -obot DelphiSample.dpr

  1. After the program's own statements, it plays with the procedure that the program exports as GetAction, until the
     referee closes the input. A library exports it to the program AntsHost instead, which loads it.
  2. It has its own types, so the bot can be built with any unit Ants whose types have the same layout in memory, that
     of Delphi mode: an enumeration is a byte, an Integer has 32 bits. }
unit AntsPlay;

{$mode objfpc}{$H+}

interface

const
  MAX_MEMORY = 32;

type
  TSensor = record
    smell, smellIntensity: LongInt;
    isFriend, isEnemy, isMyHill, isEnemyHill, isFood, isWall: Boolean;
  end;

  TAction = record
    { The number of the action; aaMoveUp is 0. }
    actionType: Byte;
    putSmell: Boolean;
    smell: LongInt;
  end;

  TSensors = array[-1..1, -1..1] of TSensor;
  PMemory = ^TMemory;
  TMemory = array[0..MAX_MEMORY - 1] of Byte;
  TGetAction = procedure(sensors: TSensors; hasFood: Boolean; memory: PMemory; var result: TAction); cdecl;
  TGetTeamName = function: PAnsiChar; cdecl;

{ Answers the referee until it closes the input. getTeamName may be nil. }
procedure Play(getAction: TGetAction; getTeamName: TGetTeamName);

implementation

uses
  {$ifdef UNIX}BaseUnix,{$endif} SysUtils;

const
  NAME_LENGTH = 32;
  ROOM = 4096;

type
  EAntsError = class(Exception);

  { Lines of a file, which may arrive in any pieces. }
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

procedure ExportedAction(sensors: TSensors; hasFood: Boolean; memory: PMemory; var result: TAction); cdecl;
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

{ The next of the numbers, which are separated by blanks. }
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

function Sensed(const line: RawByteString): TSensor;
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

{ Whether a byte continues a character of UTF-8. }
function Continues(letter: AnsiChar): Boolean;
begin
  Result := (Ord(letter) and $C0) = $80;
end;

{ How many characters of UTF-8 a name has. }
function LengthOf(const name: RawByteString): LongInt;
var
  letter: AnsiChar;
begin
  Result := 0;
  for letter in name do
    if not Continues(letter) then
      Inc(Result);
end;

{ What is wrong with a name; empty if it is valid. }
function FaultOf(const name: RawByteString): string;
var
  i: LongInt;
begin
  for i := 1 to Length(name) do
    if name[i] in [#0..#31, #127] then
      Exit('it contains a control character');
  if LengthOf(name) > NAME_LENGTH then
    Exit('it is longer than 32 characters');
  Result := '';
end;

{ The quoted text after `name =` in a line of a bot.toml; False if the line has no name. }
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

{ The name in the bot.toml of this folder, cut to the length that the protocol allows; empty if it has none. }
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
  size := Length(Result);
  while LengthOf(Copy(Result, 1, size)) > NAME_LENGTH do
    repeat
      Dec(size);
    until not Continues(Result[size + 1]);  // do not cut a letter in two
  SetLength(Result, size);
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

{ One answer; False if the input ends within the request. }
function Answered(lines: TLines; getAction: TGetAction; out reply: RawByteString): Boolean;
var
  food, line: RawByteString;
  memory: TMemory;
  sensors: TSensors;
  action: TAction;
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
  reply := IntToStr(action.actionType) + ' ' + IntToStr(marks) + ' ' + IntToStr(smell) + ' ' + HexOf(memory);
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
  // Output of a separately built library goes to the log too.
  answers := FpDup(StdOutputHandle);
  FpDup2(StdErrorHandle, StdOutputHandle);
  {$else}
  TextRec(Output).Handle := StdErrorHandle;
  {$endif}
  // The log has all output immediately, even if the bot crashes.
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

{ Runs after the program's own statements and before any unit is finalised. }
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
