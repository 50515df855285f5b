{ Write a SnakeCore bot in Pascal: this one file, nothing else to install (Free Pascal 3.0 or newer).

  A complete bot, which collects blocks and delivers when it has four:

      program TenLines;
      (*$mode objfpc*)
      uses Snake;

      function Choose(const area: TAreaInfo): Char;
      begin
        if (area.Me.Length > 4) or (Length(area.FreeBlocks) = 0) then
          Result := area.StepTowards(area.Reactors)
        else
          Result := area.StepTowards(area.FreeBlocks);
      end;

      begin
        Run('Ten Lines', @Choose);
      end.

  Build it with `fpc -O2 -gl -FuSDK -FU. -obot main.pas`, where SDK is the folder of this file. If you build by hand on a
  system with case-sensitive file names, `uses` must say Snake, like the file.

  Cells are records (x, y): x grows to the right, y grows DOWNWARDS, (0, 0) is the top left: 'U' is y - 1, 'D' is y + 1.
  Rule numbers are those that `referee rules` prints. Nothing here is random: equal boards give equal answers.
  Boards are records: keep them, copy them, return them. Nothing has to be freed, and data shared by copies never
  changes. Do not change the arrays that a board returns: it keeps them for the next call. }
unit Snake;

{$mode objfpc}{$H+}{$modeswitch advancedrecords}{$scopedenums on}

interface

uses
  SysUtils;

const
  { The six letters that `choose` may return (rule 8). }
  ACTIONS = 'ULDRNA';
  { The four moves. Ties between equally good paths are broken in this order. }
  DIRECTIONS = 'ULDR';
  { The index when there is no python: see Owner and TOutcome.Victim. }
  NOBODY = -1;
  { Seconds, rule 18. }
  FIRST_LIMIT = 15.0;
  ANSWER_LIMIT = 1.0;
  TOTAL_LIMIT = 120.0;
  { Rule 14. }
  SHIELD_TURNS = 10;

type
  { The exception of this unit: the caller's mistake (an unknown action, a cell off the field, an unknown python, a name
    that is too long), or a malformed request. The message says which. }
  ESnakeError = class(Exception);

  { Readable names for the six letters: TAction.Up. }
  TAction = record
  const
    Up = 'U';
    Left = 'L';
    Down = 'D';
    Right = 'R';
    Wait = 'N';
    Shield = 'A';
  end;

  TCell = record
    x, y: Integer;
    class operator = (const a, b: TCell): Boolean;
    class operator <> (const a, b: TCell): Boolean;
  end;
  TCells = array of TCell;

  { The kind of an action's outcome: TKind.Bite. }
  TKind = (Move, Eat, Bite, Deliver, Shield, Wait, Skip);
  { For a skip, the obstacle; otherwise TWhy.Nothing. }
  TWhy = (Nothing, Edge, Wall, Head, Tail, Shield, NoEnergy);

  { What an action would do (rules 8-15). }
  TOutcome = record
    Kind: TKind;
    { The cell that the action aims at, possibly off the field; the head's own cell for 'N' and 'A'. }
    Target: TCell;
    { The points that it scores; 0 for a bite into its own body and for a delivery without a body. }
    Points: Integer;
    Why: TWhy;
    { For a bite, the index of the bitten python (possibly the biter itself); otherwise NOBODY. }
    Victim: Integer;
  end;

  { One python. }
  TPython = record
    { Its index in TAreaInfo.Pythons; 0 is me, the others follow in the order of their moves. }
    Index: Integer;
    { The remaining turns of protection, as in the request. My counter has already been decreased for this turn; the
      others' are decreased when their turns begin (rule 7). Above 0, this python cannot be bitten. }
    Shield: Integer;
    { The head first, the tail last. }
    Cells: TCells;
    { The kinds of the body in the same order, a letter for each block: 'b' or 'e'. Blocks[1] belongs to Cells[1]. }
    Blocks: string;
    function Head: TCell;
    { The cell of the last block, or of the head if there is no body. }
    function Tail: TCell;
    { The cells of the blocks, from the one behind the head to the tail. }
    function Body: TCells;
    { Head and blocks together: 1 for a head alone (rule 5). }
    function Length: Integer;
    { The number of energy blocks in its body, which is how many shields it can still raise. }
    function Energy: Integer;
    { Points for delivering the whole body now: n(n + 1)/2 for n blocks (rule 13). }
    function Value: Integer;
  end;
  TPythons = array of TPython;

  { A number for each spot; spots count the cells of a field with its frame, row by row. }
  TSpots = array of Integer;

  { Moves to each cell: `distances[cell]` is -1 if the cell is unreachable or off the field. }
  TDistances = record
  private
    FSize: Integer;
    FMoves: TSpots;
    function GetMoves(const cell: TCell): Integer;
  public
    property Moves[const cell: TCell]: Integer read GetMoves; default;
  end;

  TSearch = record
    Start: Integer;
    Moves, Before: TSpots;
  end;

  { Cached results of a board, computed on first use. }
  TFound = record
    HasReactors, HasBlocks, HasEnergy: Boolean;
    Reactors, FreeBlocks, FreeEnergy: TCells;
    Parts, Ways: TSpots;
    Searches: array of TSearch;
    Searched: Integer;
  end;

  { The board of one request, with queries about it. Boards never change: After returns a new one.
    A parameter `python` is an index; the default is 0, me. }
  TAreaInfo = record
  private
    FSize, FTurn: Integer;
    { A letter for each cell, row by row, inside a frame of #0. }
    FField: string;
    FPythons: TPythons;
    { The python whose shield clock is already decreased for a turn not yet played. }
    FTicked: Integer;
    { In milliseconds of GetTickCount64. }
    FAnswerEnds, FTotalEnds: Int64;
    { One element. The compiler counts and frees arrays, and all copies of a board share this one. }
    FFound: array of TFound;
    procedure SetClocks(answer, total: Int64);
    procedure LookUp(python: Integer);
    function SpotOf(const cell: TCell): Integer;
    function At(const cell: TCell): Char;
    { Row by row. }
    function CellsWith(one, other: Char; freeOnly: Boolean): TCells;
    function PartsBySpot: TSpots;
    function WaysBySpot: TSpots;
    function SearchFrom(const start: TCell): TSearch;
    function ShieldAtTurn(const python: TPython): Integer;
    function GetMe: TPython;
    function GetRivals: TPythons;
    function GetReactors: TCells;
    function GetFreeBlocks: TCells;
    function GetFreeEnergy: TCells;
  public
    { The board of a request given as text or lines: n, n rows, a line for each `p` on the map.
      A first line `getAction` is optional, and line ends may be CRLF. All characters except W R b e p mean empty cells.
      Raises: ESnakeError, if lines or numbers are missing. }
    class function Parse(const request: string): TAreaInfo; static;
    class function Parse(const lines: array of string): TAreaInfo; static;
    { The board's rows as in the request, for `WriteLn(area.Text)` (which goes to stderr while Run is running). }
    function Text: string;
    { The field has Size x Size cells. }
    property Size: Integer read FSize;
    { The number of getAction requests so far, including this one. }
    property Turn: Integer read FTurn;

    { Time, in seconds. The protocol sends no clocks, so the SDK measures, from the first request on. }

    { The time left of the 120 s for all my answers. }
    function TimeLeft: Double;
    { The time left for this answer, of 1 s (15 s for the first answer). }
    function AnswerTimeLeft: Double;

    { The pythons }

    { All pythons: me first, then the others in the order in which they move after me. }
    property Pythons: TPythons read FPythons;
    property Me: TPython read GetMe;
    { All pythons except me. Those of disqualified players stay, but no longer move (rule 17). }
    property Rivals: TPythons read GetRivals;
    property Reactors: TCells read GetReactors;
    { The free blocks of both kinds, row by row. }
    property FreeBlocks: TCells read GetFreeBlocks;
    { The free energy blocks. }
    property FreeEnergy: TCells read GetFreeEnergy;
    { The index of the python whose head or block occupies the cell; NOBODY for a free block or anything else. }
    function Owner(const cell: TCell): Integer;

    { The content of a cell. All are False off the field. }

    function IsInside(const cell: TCell): Boolean;
    function IsWall(const cell: TCell): Boolean;
    function IsReactor(const cell: TCell): Boolean;
    function IsEmpty(const cell: TCell): Boolean;
    function IsHead(const cell: TCell): Boolean;
    { A block of any kind, free or linked. }
    function IsBlock(const cell: TCell): Boolean;
    { An energy block, free or linked. }
    function IsEnergy(const cell: TCell): Boolean;
    { A block that is part of a python's body (rule 3). }
    function IsLinked(const cell: TCell): Boolean;
    { A free block of any kind, which can be eaten. }
    function IsFreeBlock(const cell: TCell): Boolean;

    { Actions, by the rules }

    { What the action of that python would do now, by rules 8-15.
      Raises: ESnakeError, if the action is not one of U L D R N A. }
    function Outcome(action: Char; python: Integer = 0): TOutcome;
    { Whether the head would move there, by a move, a meal or a bite. A head never enters a reactor: see Outcome. }
    function CanMove(direction: Char; python: Integer = 0): Boolean;
    { The board after that action of that python. My index stays 0.
      Blocks that would return (delivered, or used for a shield) are missing, since chance decides where (rule 16).
      Shield clocks are updated. The board of a request is in the middle of my turn; every other call of After begins a
      turn of its python, so its counter is decreased first (rule 7). For points, see Outcome. }
    function After(action: Char; python: Integer = 0): TAreaInfo;

    { Paths. They lead through empty cells, free blocks and my own tail. Anything else except a wall can only be their
      end. }

    { The number of moves from `start` to each reachable cell, if all others stand still.
      Reactors, heads and linked blocks also have a distance, as ends of paths: the third move delivers to a reactor at
      distance 3. Raises: ESnakeError, if `start` is off the field. }
    function Distances(const start: TCell): TDistances;
    { A shortest path from my head or from `start`: its cells without the first one; empty if there is none. }
    function Path(const target: TCell): TCells;
    function Path(const target, start: TCell): TCells;
    { The direction of my first move to the nearest of the cells; 'N' if none is reachable or I am already there. }
    function StepTowards(const cells: array of TCell): Char;
    { The direction of my first move to the first reachable goal; AnyMove if there is none.
      Each goal is a group of cells, the most important first: `area.FirstStep([area.FreeBlocks, area.Reactors])`. The
      next group counts only if no cell of a group is reachable. Within a group, the nearest cell counts. }
    function FirstStep(const goals: array of TCells): Char;
    { A direction in which my head can move: to an empty cell or my tail, or else to a free block, or else by a bite.
      So a python without a goal keeps moving, and a trapped one bites its way out. 'N' if no move is possible. }
    function AnyMove: Char;
  end;

  { The name in the contest's rules. }
  AreaInfo = TAreaInfo;

  { A bot's decision: one of U L D R N A. Pass it with @ before its name. }
  TChoose = function(const area: TAreaInfo): Char;

function Cell(x, y: Integer): TCell;

{ The cell one step from `cell`, possibly off the field. Raises: ESnakeError, for a direction other than U L D R. }
function Neighbour(const cell: TCell; direction: Char): TCell;

{ Answers the referee until it closes the input: getName with `name`, getAction with `choose(area)`.

  While this runs, Write and WriteLn go to stderr, the player's own log: only answers go to the real stdout. An
  exception of `choose` is not caught: it ends the program with its message on stderr and a status other than 0, which
  disqualifies. The name is sent byte for byte: save your source as UTF-8.
  Raises: ESnakeError, for a name longer than 32 characters or with control characters in it, for an answer of `choose` that
  is not one of U L D R N A, and for a request that is neither getName nor getAction or cannot be read. }
procedure Run(const name: RawByteString; choose: TChoose);

implementation

type
  { Lines of a text, or of an open file as they arrive. }
  TLines = class
  private
    FHandle: THandle;
    FIsFile: Boolean;
    FBuffer: string;
    FNext, FEnd: SizeInt;
    function Refill: Boolean;
  public
    constructor CreateText(const text: string);
    constructor CreateFile(handle: THandle);
    { The next line without its end, which may be CRLF; False if there is none. Waits for that line only. }
    function Next(out line: string): Boolean;
  end;

const
  BLANKS = [' ', #9, #10, #11, #12, #13];
  BUFFER_BYTES = 65536;
  { The values of WaysBySpot; 0 means blocked. }
  THROUGH = 1;
  WAY_END = 2;

{ Text from outside for a message: shortened, and with codes for characters other than ASCII. }
function Shown(const text: string): string;
const
  LONGEST = 80;
var
  letter: Char;
begin
  Result := '';
  for letter in text do
    if System.Length(Result) > LONGEST then
      Exit('"' + Result + '..."')
    else if letter in [' '..'~'] then
      Result := Result + letter
    else
      Result := Result + '#' + IntToStr(Ord(letter));
  Result := '"' + Result + '"';
end;

function Cell(x, y: Integer): TCell;
begin
  Result.x := x;
  Result.y := y;
end;

class operator TCell.= (const a, b: TCell): Boolean;
begin
  Result := (a.x = b.x) and (a.y = b.y);
end;

class operator TCell.<> (const a, b: TCell): Boolean;
begin
  Result := (a.x <> b.x) or (a.y <> b.y);
end;

function Neighbour(const cell: TCell; direction: Char): TCell;
begin
  Result := cell;
  case direction of
    'U': Dec(Result.y);
    'L': Dec(Result.x);
    'D': Inc(Result.y);
    'R': Inc(Result.x);
  else
    raise ESnakeError.Create(Shown(direction) + ' is not one of U L D R');
  end;
end;

{ TLines }

constructor TLines.CreateText(const text: string);
begin
  FBuffer := text;
  FEnd := System.Length(text);
end;

constructor TLines.CreateFile(handle: THandle);
begin
  FHandle := handle;
  FIsFile := True;
  SetLength(FBuffer, BUFFER_BYTES);
end;

function TLines.Refill: Boolean;
var
  count: LongInt;
begin
  if not FIsFile then
    Exit(False);
  count := FileRead(FHandle, FBuffer[1], BUFFER_BYTES);
  if count < 0 then
    raise ESnakeError.Create('the input cannot be read');
  FNext := 0;
  FEnd := count;
  Result := count > 0;
end;

function TLines.Next(out line: string): Boolean;
var
  found, count, old: SizeInt;
begin
  line := '';
  Result := False;
  repeat
    if (FNext = FEnd) and not Refill then
      Break;
    Result := True;
    found := IndexByte(FBuffer[FNext + 1], FEnd - FNext, 10);
    count := found;
    if found < 0 then
      count := FEnd - FNext;
    old := System.Length(line);
    SetLength(line, old + count);
    if count > 0 then
      Move(FBuffer[FNext + 1], line[old + 1], count);
    Inc(FNext, count + Ord(found >= 0));
  until found >= 0;
  count := System.Length(line);
  while (count > 0) and (line[count] = #13) do
    Dec(count);
  SetLength(line, count);
end;

{ Reading a board }

{ All numbers of a line. `broken`: the line contains something else. }
function Numbers(const line: string; out broken: Boolean): TSpots;
var
  place, count: SizeInt;
  negative: Boolean;
  value: Int64;
begin
  Result := nil;
  SetLength(Result, System.Length(line) div 2 + 1);
  count := 0;
  place := 1;
  broken := True;
  while True do
  begin
    while (place <= System.Length(line)) and (line[place] in BLANKS) do
      Inc(place);
    if place > System.Length(line) then
      Break;
    negative := line[place] = '-';
    if line[place] in ['+', '-'] then
      Inc(place);
    if (place > System.Length(line)) or not (line[place] in ['0'..'9']) then
      Exit;
    value := 0;
    while (place <= System.Length(line)) and (line[place] in ['0'..'9']) do
    begin
      value := 10 * value + Ord(line[place]) - Ord('0');
      if value > High(Integer) then
        Exit;
      Inc(place);
    end;
    if (place <= System.Length(line)) and not (line[place] in BLANKS) then
      Exit;
    if negative then
      value := -value;
    Result[count] := value;
    Inc(count);
  end;
  SetLength(Result, count);
  broken := False;
end;

function ReadPython(const line: string; index: Integer; const area: TAreaInfo): TPython;
var
  given: TSpots;
  broken: Boolean;
  i: Integer;
begin
  given := Numbers(line, broken);
  if broken or (System.Length(given) < 4) or (System.Length(given) <> 2 + 2 * Int64(given[1])) then
    raise ESnakeError.Create('not a python''s line, which is `shield length x0 y0 x1 y1 ...`: ' + Shown(line));
  Result.Index := index;
  Result.Shield := given[0];
  Result.Cells := nil;
  SetLength(Result.Cells, given[1]);
  Result.Blocks := '';
  SetLength(Result.Blocks, given[1] - 1);
  for i := 0 to given[1] - 1 do
  begin
    Result.Cells[i] := Cell(given[2 + 2 * i], given[3 + 2 * i]);
    if not area.IsInside(Result.Cells[i]) then
      raise ESnakeError.Create('a python lies off the field: ' + Shown(line));
    if i > 0 then
      Result.Blocks[i] := area.At(Result.Cells[i]);
  end;
end;

{ The board after a `getAction` line; False if the input ends within it. }
function ReadArea(lines: TLines; out area: TAreaInfo): Boolean;
var
  line: string;
  rows: array of string;
  given: TSpots;
  broken: Boolean;
  letters: PChar;
  size, heads, y, i: Integer;
begin
  if not lines.Next(line) then
    Exit(False);
  given := Numbers(line, broken);
  if broken or (System.Length(given) <> 1) or (given[0] < 1) then
    raise ESnakeError.Create('not the size of a field: ' + Shown(line));
  size := given[0];
  rows := nil;
  SetLength(rows, size);
  for y := 0 to size - 1 do
    if not lines.Next(rows[y]) then
      Exit(False);
  area := Default(TAreaInfo);
  area.FSize := size;
  area.FTurn := 1;
  area.FField := StringOfChar(#0, (size + 2) * (size + 2));
  SetLength(area.FFound, 1);
  heads := 0;
  for y := 0 to size - 1 do
  begin
    letters := @area.FField[(y + 1) * (size + 2) + 2];
    for i := 1 to size do
    begin
      letters^ := '.';
      if (i <= System.Length(rows[y])) and (rows[y][i] in ['W', 'R', 'b', 'e', 'p']) then
        letters^ := rows[y][i];
      Inc(heads, Ord(letters^ = 'p'));
      Inc(letters);
    end;
  end;
  SetLength(area.FPythons, heads);
  for i := 0 to heads - 1 do
  begin
    if not lines.Next(line) then
      Exit(False);
    area.FPythons[i] := ReadPython(line, i, area);
  end;
  area.SetClocks(Round(1000 * ANSWER_LIMIT), Round(1000 * TOTAL_LIMIT));
  Result := True;
end;

class function TAreaInfo.Parse(const request: string): TAreaInfo;
var
  lines: TLines;
  first: string;
  cut: SizeInt;
begin
  cut := Pos(#10, request);
  if cut = 0 then
    cut := System.Length(request);
  first := Copy(request, 1, cut);
  if Trim(first) <> 'getAction' then
    cut := 0;
  lines := TLines.CreateText(Copy(request, cut + 1, System.Length(request)));
  try
    if not ReadArea(lines, Result) then
      raise ESnakeError.Create('the request ends too early: after n must come n rows and one line for each python');
  finally
    lines.Free;
  end;
end;

class function TAreaInfo.Parse(const lines: array of string): TAreaInfo;
var
  request, line: string;
begin
  request := '';
  for line in lines do
    request := request + line + #10;
  Result := Parse(request);
end;

{ TPython }

function TPython.Head: TCell;
begin
  Result := Cells[0];
end;

function TPython.Tail: TCell;
begin
  Result := Cells[High(Cells)];
end;

function TPython.Body: TCells;
begin
  Result := Copy(Cells, 1, High(Cells));
end;

function TPython.Length: Integer;
begin
  Result := System.Length(Cells);
end;

function TPython.Energy: Integer;
var
  kind: Char;
begin
  Result := 0;
  for kind in Blocks do
    Inc(Result, Ord(kind = 'e'));
end;

function TPython.Value: Integer;
begin
  Result := System.Length(Blocks) * (System.Length(Blocks) + 1) div 2;
end;

{ TDistances }

function TDistances.GetMoves(const cell: TCell): Integer;
begin
  if (cell.x < 0) or (cell.x >= FSize) or (cell.y < 0) or (cell.y >= FSize) then
    Exit(-1);
  Result := FMoves[(cell.y + 1) * (FSize + 2) + cell.x + 1];
end;

{ TAreaInfo: time }

procedure TAreaInfo.SetClocks(answer, total: Int64);
var
  now: Int64;
begin
  now := Int64(GetTickCount64);
  FAnswerEnds := now + answer;
  FTotalEnds := now + total;
end;

function TAreaInfo.TimeLeft: Double;
begin
  Result := (FTotalEnds - Int64(GetTickCount64)) / 1000;
end;

function TAreaInfo.AnswerTimeLeft: Double;
begin
  Result := (FAnswerEnds - Int64(GetTickCount64)) / 1000;
  if TimeLeft < Result then
    Result := TimeLeft;
end;

{ TAreaInfo: the pythons }

procedure TAreaInfo.LookUp(python: Integer);
begin
  if (python < 0) or (python > High(FPythons)) then
    raise ESnakeError.CreateFmt('there is no python %d: they count from 0 to %d', [python, High(FPythons)]);
end;

function TAreaInfo.GetMe: TPython;
begin
  LookUp(0);
  Result := FPythons[0];
end;

function TAreaInfo.GetRivals: TPythons;
begin
  Result := Copy(FPythons, 1, High(FPythons));
end;

function TAreaInfo.GetReactors: TCells;
begin
  if not FFound[0].HasReactors then
    FFound[0].Reactors := CellsWith('R', 'R', False);
  FFound[0].HasReactors := True;
  Result := FFound[0].Reactors;
end;

function TAreaInfo.GetFreeBlocks: TCells;
begin
  if not FFound[0].HasBlocks then
    FFound[0].FreeBlocks := CellsWith('b', 'e', True);
  FFound[0].HasBlocks := True;
  Result := FFound[0].FreeBlocks;
end;

function TAreaInfo.GetFreeEnergy: TCells;
begin
  if not FFound[0].HasEnergy then
    FFound[0].FreeEnergy := CellsWith('e', 'e', True);
  FFound[0].HasEnergy := True;
  Result := FFound[0].FreeEnergy;
end;

function TAreaInfo.Owner(const cell: TCell): Integer;
begin
  Result := NOBODY;
  if IsInside(cell) then
    Result := PartsBySpot[SpotOf(cell)];
end;

{ The index of the python at each spot. }
function TAreaInfo.PartsBySpot: TSpots;
var
  python: TPython;
  cell: TCell;
begin
  Result := FFound[0].Parts;
  if Result <> nil then
    Exit;
  SetLength(Result, System.Length(FField));
  FillDWord(Result[0], System.Length(Result), DWord(NOBODY));
  for python in FPythons do
    for cell in python.Cells do
      Result[SpotOf(cell)] := python.Index;
  FFound[0].Parts := Result;
end;

{ TAreaInfo: the content of a cell }

function TAreaInfo.SpotOf(const cell: TCell): Integer;
begin
  Result := (cell.y + 1) * (FSize + 2) + cell.x + 1;
end;

function TAreaInfo.At(const cell: TCell): Char;
begin
  Result := #0;
  if IsInside(cell) then
    Result := FField[SpotOf(cell) + 1];
end;

function TAreaInfo.CellsWith(one, other: Char; freeOnly: Boolean): TCells;
var
  owners, found: TSpots;
  letters: PChar;
  spot, width, count, i: Integer;
begin
  owners := PartsBySpot;
  letters := PChar(FField);
  width := FSize + 2;
  found := nil;
  SetLength(found, System.Length(owners));
  count := 0;
  for spot := 0 to High(owners) do
    if ((letters[spot] = one) or (letters[spot] = other)) and not (freeOnly and (owners[spot] <> NOBODY)) then
    begin
      found[count] := spot;
      Inc(count);
    end;
  Result := nil;
  SetLength(Result, count);
  for i := 0 to count - 1 do
    Result[i] := Cell(found[i] mod width - 1, found[i] div width - 1);
end;

function TAreaInfo.IsInside(const cell: TCell): Boolean;
begin
  Result := (cell.x >= 0) and (cell.x < FSize) and (cell.y >= 0) and (cell.y < FSize);
end;

function TAreaInfo.IsWall(const cell: TCell): Boolean;
begin
  Result := At(cell) = 'W';
end;

function TAreaInfo.IsReactor(const cell: TCell): Boolean;
begin
  Result := At(cell) = 'R';
end;

function TAreaInfo.IsEmpty(const cell: TCell): Boolean;
begin
  Result := At(cell) = '.';
end;

function TAreaInfo.IsHead(const cell: TCell): Boolean;
begin
  Result := At(cell) = 'p';
end;

function TAreaInfo.IsBlock(const cell: TCell): Boolean;
begin
  Result := At(cell) in ['b', 'e'];
end;

function TAreaInfo.IsEnergy(const cell: TCell): Boolean;
begin
  Result := At(cell) = 'e';
end;

function TAreaInfo.IsLinked(const cell: TCell): Boolean;
begin
  Result := IsBlock(cell) and (Owner(cell) <> NOBODY);
end;

function TAreaInfo.IsFreeBlock(const cell: TCell): Boolean;
begin
  Result := IsBlock(cell) and (Owner(cell) = NOBODY);
end;

function TAreaInfo.Text: string;
var
  y: Integer;
begin
  Result := '';
  for y := 1 to FSize do
  begin
    if y > 1 then
      Result := Result + #10;
    Result := Result + Copy(FField, y * (FSize + 2) + 2, FSize);
  end;
end;

{ TAreaInfo: actions, by the rules }

{ The index of a cell in a chain, 0 for the head; -1 if it is not there. }
function PlaceIn(const cells: TCells; const cell: TCell): Integer;
begin
  for Result := 0 to High(cells) do
    if cells[Result] = cell then
      Exit;
  Result := -1;
end;

function TAreaInfo.ShieldAtTurn(const python: TPython): Integer;
begin
  Result := python.Shield;
  if (Result > 0) and (FTicked <> python.Index) then
    Dec(Result);
end;

function Outcomes(kind: TKind; const target: TCell; points: Integer; why: TWhy; victim: Integer): TOutcome;
begin
  Result.Kind := kind;
  Result.Target := target;
  Result.Points := points;
  Result.Why := why;
  Result.Victim := victim;
end;

function TAreaInfo.Outcome(action: Char; python: Integer): TOutcome;
var
  target, head: TCell;
  index, place, shield: Integer;

  function Goes(kind: TKind; points: Integer = 0; victim: Integer = NOBODY): TOutcome;
  begin
    Result := Outcomes(kind, target, points, TWhy.Nothing, victim);
  end;

  function Skips(why: TWhy): TOutcome;
  begin
    Result := Outcomes(TKind.Skip, target, 0, why, NOBODY);
  end;

begin
  LookUp(python);
  head := FPythons[python].Head;
  target := head;
  case action of
    'N':
      Exit(Goes(TKind.Wait));
    'A':
      if FPythons[python].Energy > 0 then
        Exit(Goes(TKind.Shield))
      else
        Exit(Skips(TWhy.NoEnergy));
    'U', 'L', 'D', 'R':
      target := Neighbour(head, action);
  else
    raise ESnakeError.Create(Shown(action) + ' is not one of U L D R N A');
  end;
  case At(target) of
    '.': Exit(Goes(TKind.Move));
    'R': Exit(Goes(TKind.Deliver, FPythons[python].Value));
    #0: Exit(Skips(TWhy.Edge));
    'W': Exit(Skips(TWhy.Wall));
    'p': Exit(Skips(TWhy.Head));
  end;
  place := -1;
  for index := 0 to High(FPythons) do
  begin
    place := PlaceIn(FPythons[index].Cells, target);
    if place >= 0 then
      Break;
  end;
  if place < 0 then
    Exit(Goes(TKind.Eat));
  if target = FPythons[index].Tail then
    // Its own tail moves away in time (rule 12); a rival's cannot be bitten.
    if index = python then
      Exit(Goes(TKind.Move))
    else
      Exit(Skips(TWhy.Tail));
  shield := FPythons[index].Shield;
  if index = python then
    shield := ShieldAtTurn(FPythons[index]);
  if shield <> 0 then
    Exit(Skips(TWhy.Shield));
  if index = python then
    Result := Goes(TKind.Bite, 0, index)
  else
    Result := Goes(TKind.Bite, FPythons[index].Length - place, index);
end;

function TAreaInfo.CanMove(direction: Char; python: Integer): Boolean;
begin
  Result := Outcome(direction, python).Kind in [TKind.Move, TKind.Eat, TKind.Bite];
end;

function TAreaInfo.After(action: Char; python: Integer): TAreaInfo;
var
  done: TOutcome;
  made: TAreaInfo;
  cells, old: TCells;
  blocks: string;
  field: PChar;
  i, left, shield: Integer;
begin
  done := Outcome(action, python);
  // The board is built separately from Result, which may be this very board: `area := area.After('U')`.
  made := Self;
  made.FTicked := NOBODY;
  made.FFound := nil;
  SetLength(made.FFound, 1);
  made.FPythons := Copy(FPythons);
  UniqueString(made.FField);
  field := PChar(made.FField);
  if done.Victim <> NOBODY then
    with made.FPythons[done.Victim] do
    begin
      left := PlaceIn(Cells, done.Target);
      Cells := Copy(Cells, 0, left);
      Blocks := Copy(Blocks, 1, left - 1);
    end;
  old := made.FPythons[python].Cells;
  blocks := made.FPythons[python].Blocks;
  shield := ShieldAtTurn(made.FPythons[python]);
  case done.Kind of
    TKind.Move:
      begin
        cells := Copy(old);
        for i := High(cells) downto 1 do
          cells[i] := cells[i - 1];
        cells[0] := done.Target;
      end;
    TKind.Eat, TKind.Bite:
      begin
        cells := nil;
        SetLength(cells, System.Length(old) + 1);
        cells[0] := done.Target;
        for i := 0 to High(old) do
          cells[i + 1] := old[i];
        blocks := field[SpotOf(done.Target)] + blocks;
      end;
    TKind.Deliver:
      begin
        cells := Copy(old, 0, 1);
        blocks := '';
      end;
    TKind.Shield:
      begin
        // Removes the energy block nearest to the head, and the chain closes up (rule 14).
        cells := Copy(old, 0, High(old));
        Delete(blocks, Pos('e', blocks), 1);
        Inc(shield, SHIELD_TURNS);
      end;
  else
    cells := old;
  end;
  for i := 0 to High(old) do
    field[SpotOf(old[i])] := '.';
  field[SpotOf(cells[0])] := 'p';
  for i := 1 to High(cells) do
    field[SpotOf(cells[i])] := blocks[i];
  made.FPythons[python].Shield := shield;
  made.FPythons[python].Cells := cells;
  made.FPythons[python].Blocks := blocks;
  Result := made;
end;

{ TAreaInfo: paths }

{ For each spot: THROUGH, WAY_END or 0. }
function TAreaInfo.WaysBySpot: TSpots;
var
  python: TPython;
  cell: TCell;
  i: Integer;
begin
  Result := FFound[0].Ways;
  if Result <> nil then
    Exit;
  SetLength(Result, System.Length(FField));
  for i := 0 to High(Result) do
    case FField[i + 1] of
      '.', 'b', 'e': Result[i] := THROUGH;
      'R': Result[i] := WAY_END;
    end;
  for python in FPythons do
    for cell in python.Cells do
      Result[SpotOf(cell)] := WAY_END;
  if Me.Length > 1 then
    Result[SpotOf(Me.Tail)] := THROUGH;
  FFound[0].Ways := Result;
end;

function TAreaInfo.SearchFrom(const start: TCell): TSearch;
var
  ways, queue: TSpots;
  steps: array[0..3] of Integer;
  root, spot, beside, first, last, i: Integer;
begin
  if not IsInside(start) then
    raise ESnakeError.CreateFmt('the cell (%d, %d) is off the field of %d x %d', [start.x, start.y, FSize, FSize]);
  root := SpotOf(start);
  with FFound[0] do
    for i := 0 to Searched - 1 do
      if Searches[i].Start = root then
        Exit(Searches[i]);
  ways := WaysBySpot;
  Result.Start := root;
  Result.Before := nil;
  SetLength(Result.Before, System.Length(ways));
  Result.Moves := nil;
  SetLength(Result.Moves, System.Length(ways));
  FillDWord(Result.Moves[0], System.Length(ways), DWord(-1));
  queue := nil;
  SetLength(queue, System.Length(ways));
  steps[0] := -FSize - 2; // U L D R
  steps[1] := -1;
  steps[2] := FSize + 2;
  steps[3] := 1;
  queue[0] := root;
  Result.Before[root] := root; // 0 means not reached: spot 0 is in the frame
  Result.Moves[root] := 0;
  first := 0;
  last := 0;
  while first <= last do
  begin
    spot := queue[first];
    Inc(first);
    if (ways[spot] = THROUGH) or (spot = root) then
      for i := 0 to 3 do
      begin
        beside := spot + steps[i];
        if (ways[beside] <> 0) and (Result.Before[beside] = 0) then
        begin
          Result.Before[beside] := spot;
          Result.Moves[beside] := Result.Moves[spot] + 1;
          Inc(last);
          queue[last] := beside;
        end;
      end;
  end;
  with FFound[0] do
  begin
    if Searched = System.Length(Searches) then
      SetLength(Searches, 2 * Searched + 2);
    Searches[Searched] := Result;
    Inc(Searched);
  end;
end;

function TAreaInfo.Distances(const start: TCell): TDistances;
begin
  Result.FMoves := SearchFrom(start).Moves;
  Result.FSize := FSize;
end;

function TAreaInfo.Path(const target: TCell): TCells;
begin
  Result := Path(target, Me.Head);
end;

function TAreaInfo.Path(const target, start: TCell): TCells;
var
  search: TSearch;
  spot, width, i: Integer;
begin
  Result := nil;
  search := SearchFrom(start);
  if not IsInside(target) or (search.Moves[SpotOf(target)] < 0) then
    Exit;
  spot := SpotOf(target);
  width := FSize + 2;
  SetLength(Result, search.Moves[spot]);
  for i := High(Result) downto 0 do
  begin
    Result[i] := Cell(spot mod width - 1, spot div width - 1);
    spot := search.Before[spot];
  end;
end;

function TAreaInfo.StepTowards(const cells: array of TCell): Char;
var
  reached: TDistances;
  head, near, cell: TCell;
  way: TCells;
  least, moves: Integer;
  direction: Char;
begin
  head := Me.Head;
  reached := Distances(head);
  near := head;
  least := -1;
  for cell in cells do
  begin
    moves := reached[cell];
    if moves < 0 then
      Continue;
    // Among the nearest cells, the leftmost counts, and among these the topmost.
    if (least < 0) or (moves < least)
      or ((moves = least) and ((cell.x < near.x) or ((cell.x = near.x) and (cell.y < near.y)))) then
    begin
      least := moves;
      near := cell;
    end;
  end;
  way := Path(near);
  if way <> nil then
    for direction in DIRECTIONS do
      if Neighbour(head, direction) = way[0] then
        Exit(direction);
  Result := 'N';
end;

function TAreaInfo.FirstStep(const goals: array of TCells): Char;
var
  i: Integer;
begin
  for i := 0 to High(goals) do
  begin
    Result := StepTowards(goals[i]);
    if Result <> 'N' then
      Exit;
  end;
  Result := AnyMove;
end;

function TAreaInfo.AnyMove: Char;
var
  kind: TKind;
  direction: Char;
begin
  for kind in [TKind.Move, TKind.Eat, TKind.Bite] do
    for direction in DIRECTIONS do
      if Outcome(direction).Kind = kind then
        Exit(direction);
  Result := 'N';
end;

{ Run }

{ How many characters of UTF-8 a name has. }
function LengthOf(const name: RawByteString): Integer;
var
  letter: AnsiChar;
begin
  Result := 0;
  for letter in name do
    if (Ord(letter) and $C0) <> $80 then
      Inc(Result);
end;

procedure CheckName(const name: RawByteString);
var
  i: Integer;
begin
  if LengthOf(name) > 32 then
    raise ESnakeError.CreateFmt('the name %s is longer than 32 characters: %d', [Shown(name), LengthOf(name)]);
  for i := 1 to System.Length(name) do
    // In UTF-8 the control characters above 127 are the pairs C2 80 to C2 9F.
    if (name[i] in [#0..#31, #127]) or ((i > 1) and (name[i - 1] = #$C2) and (name[i] in [#$80..#$9F])) then
      raise ESnakeError.Create('the name ' + Shown(name) + ' contains a control character');
end;

procedure Send(line: RawByteString);
var
  sent, count: LongInt;
begin
  line := line + #10;
  sent := 0;
  while sent < System.Length(line) do
  begin
    count := FileWrite(StdOutputHandle, line[sent + 1], System.Length(line) - sent);
    if count <= 0 then
      raise ESnakeError.Create('the answer cannot be written');
    Inc(sent, count);
  end;
end;

procedure Answer(lines: TLines; const name: RawByteString; choose: TChoose);
var
  request: string;
  area: TAreaInfo;
  letter: Char;
  turn: Integer;
  began, spent, limit: Int64;
begin
  turn := 0;
  spent := 0;
  limit := Round(1000 * FIRST_LIMIT);
  while lines.Next(request) do
  begin
    began := Int64(GetTickCount64);
    if request = 'getName' then
      Send(name)
    else if request = 'getAction' then
    begin
      if not ReadArea(lines, area) then
        Exit;
      Inc(turn);
      area.FTurn := turn;
      area.SetClocks(limit, Round(1000 * TOTAL_LIMIT) - spent);
      letter := choose(area);
      if Pos(letter, ACTIONS) = 0 then
        raise ESnakeError.Create('choose must return one of U L D R N A, it returned ' + Shown(letter));
      Send(letter);
    end
    else
      raise ESnakeError.Create('the referee sent an unknown request: ' + Shown(request));
    spent := spent + Int64(GetTickCount64) - began;
    limit := Round(1000 * ANSWER_LIMIT);
  end;
end;

procedure Run(const name: RawByteString; choose: TChoose);
var
  lines: TLines;
  usual: TextRec;
begin
  CheckName(name);
  lines := TLines.CreateFile(StdInputHandle);
  usual := TextRec(Output);
  try
    // The bot's output goes to stderr immediately, including output that is still buffered.
    TextRec(Output).Handle := StdErrorHandle;
    TextRec(Output).FlushFunc := TextRec(Output).InOutFunc;
    Flush(Output);
    Answer(lines, name, choose);
  finally
    Flush(Output);
    TextRec(Output).Handle := usual.Handle;
    TextRec(Output).FlushFunc := usual.FlushFunc;
    lines.Free;
  end;
end;

end.
