{ The part of the SDK for ants that talks to the referee. No bot needs to name it: it comes along with the unit Ants, and the
  referee adds it to a program that has another unit Ants beside it, the contest's. By hand that is:

      fpc -O2 -gl -FuSDK -FU. -Mdelphi -FaAntsPlay -obot DelphiSample.dpr

  1. It plays by the procedure that a program exports as GetAction, when the program's own statements have ended, until the
     referee closes our input. A library exports it to the program AntsHost instead, which loads it.
  2. It has types of its own, so it does not matter whose unit Ants the bot was built with: what counts is that theirs lie in
     memory alike, as in Delphi's mode: an enumeration is a byte, an Integer has 32 bits. }
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
    { By its number, from aaMoveUp on. }
    actionType: Byte;
    putSmell: Boolean;
    smell: LongInt;
  end;

  TSensors = array[-1..1, -1..1] of TSensor;
  PMemory = ^TMemory;
  TMemory = array[0..MAX_MEMORY - 1] of Byte;
  TGetAction = procedure(sensors: TSensors; hasFood: Boolean; memory: PMemory; var result: TAction); cdecl;
  TGetTeamName = function: PAnsiChar; cdecl;

{ Answers the referee until it closes our input. getTeamName may be nil. }
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
