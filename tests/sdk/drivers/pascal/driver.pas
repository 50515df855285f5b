{ The test program of the Pascal SDK: commands on stdin, one answer a line. sdk/vectors/README.md has its language. }
program Driver;

{$mode objfpc}{$H+}

uses
  SysUtils, Classes, Snake;

type
  TWords = array of string;
  TGoals = array of TCells;

const
  KINDS: array[TKind] of string = ('move', 'eat', 'bite', 'deliver', 'shield', 'wait', 'skip');
  WHYS: array[TWhy] of string = ('-', 'edge', 'wall', 'head', 'tail', 'shield', 'no-energy');

function Words(const line: string): TWords;
var
  list: TStringList;
  i: Integer;
begin
  list := TStringList.Create;
  try
    list.Delimiter := ' ';
    list.DelimitedText := Trim(line);
    Result := nil;
    SetLength(Result, list.Count);
    for i := 0 to list.Count - 1 do
      Result[i] := list[i];
  finally
    list.Free;
  end;
end;

{ The cell whose x is the word at that place. }
function CellAt(const said: TWords; place: Integer): TCell;
begin
  Result := Cell(StrToInt(said[place]), StrToInt(said[place + 1]));
end;

{ The cells from one word to before another. }
function CellsIn(const said: TWords; first, last: Integer): TCells;
var
  i: Integer;
begin
  Result := nil;
  SetLength(Result, (last - first) div 2);
  for i := 0 to High(Result) do
    Result[i] := CellAt(said, first + 2 * i);
end;

{ The goals of FirstStep: no words are no group, and k lone strokes part k + 1 groups. }
function Goals(const said: TWords): TGoals;
var
  first, last: Integer;
begin
  Result := nil;
  first := 1;
  for last := 1 to Length(said) do
    if (Length(said) > 1) and ((last = Length(said)) or (said[last] = '/')) then
    begin
      SetLength(Result, Length(Result) + 1);
      Result[High(Result)] := CellsIn(said, first, last);
      first := last + 1;
    end;
end;

{ The letter of an action or direction. Raises: ESnakeError, when the word is no letter. }
function Letter(const word: string): Char;
begin
  if Length(word) <> 1 then
    raise ESnakeError.Create('not a letter: ' + word);
  Result := word[1];
end;

function Shown(const cell: TCell): string;
begin
  Result := Format('%d,%d', [cell.x, cell.y]);
end;

function Shown(const cells: TCells): string;
var
  cell: TCell;
begin
  Result := '';
  for cell in cells do
    Result := Result + ' ' + Shown(cell);
  Delete(Result, 1, 1);
end;

function Shown(const pythons: TPythons): string;
var
  python: TPython;
begin
  Result := '';
  for python in pythons do
    Result := Result + ' ' + IntToStr(python.Index);
  Delete(Result, 1, 1);
end;

{ A python by its index, none for NOBODY. }
function ShownIndex(index: Integer): string;
begin
  if index = NOBODY then
    Result := '-'
  else
    Result := IntToStr(index);
end;

function Shown(const outcome: TOutcome): string;
begin
  with outcome do
    Result := Format('%s %s %d %s %s', [KINDS[Kind], Shown(Target), Points, WHYS[Why], ShownIndex(Victim)]);
end;

function Shown(value: Boolean): string;
begin
  Result := LowerCase(BoolToStr(value, True));
end;

function ShownDistances(const area: TAreaInfo; const start: TCell): string;
var
  reached: TDistances;
  place: TCell;
  x, y: Integer;
begin
  Result := '';
  reached := area.Distances(start);
  for y := 0 to area.Size - 1 do
    for x := 0 to area.Size - 1 do
    begin
      place := Cell(x, y);
      if reached[place] >= 0 then
        Result := Result + Format(' %s=%d', [Shown(place), reached[place]]);
    end;
  Delete(Result, 1, 1);
end;

function AboutPython(const python: TPython; const name: string): string;
begin
  case name of
    'index': Result := IntToStr(python.Index);
    'shield': Result := IntToStr(python.Shield);
    'cells': Result := Shown(python.Cells);
    'blocks': Result := python.Blocks;
    'head': Result := Shown(python.Head);
    'tail': Result := Shown(python.Tail);
    'body': Result := Shown(python.Body);
    'length': Result := IntToStr(python.Length);
    'energy': Result := IntToStr(python.Energy);
    'value': Result := IntToStr(python.Value);
  end;
end;

function Answer(const area: TAreaInfo; const said: TWords): string;
begin
  case said[0] of
    'size': Result := IntToStr(area.Size);
    'turn': Result := IntToStr(area.Turn);
    'text': Result := StringReplace(area.Text, #10, '/', [rfReplaceAll]);
    'pythons': Result := Shown(area.Pythons);
    'me': Result := IntToStr(area.Me.Index);
    'rivals': Result := Shown(area.Rivals);
    'reactors': Result := Shown(area.Reactors);
    'free_blocks': Result := Shown(area.FreeBlocks);
    'free_energy': Result := Shown(area.FreeEnergy);
    'any_move': Result := area.AnyMove;
    'index', 'shield', 'cells', 'blocks', 'head', 'tail', 'body', 'length', 'energy', 'value':
      Result := AboutPython(area.Pythons[StrToInt(said[1])], said[0]);
    'owner': Result := ShownIndex(area.Owner(CellAt(said, 1)));
    'is_inside': Result := Shown(area.IsInside(CellAt(said, 1)));
    'is_wall': Result := Shown(area.IsWall(CellAt(said, 1)));
    'is_reactor': Result := Shown(area.IsReactor(CellAt(said, 1)));
    'is_empty': Result := Shown(area.IsEmpty(CellAt(said, 1)));
    'is_head': Result := Shown(area.IsHead(CellAt(said, 1)));
    'is_block': Result := Shown(area.IsBlock(CellAt(said, 1)));
    'is_energy': Result := Shown(area.IsEnergy(CellAt(said, 1)));
    'is_linked': Result := Shown(area.IsLinked(CellAt(said, 1)));
    'is_free_block': Result := Shown(area.IsFreeBlock(CellAt(said, 1)));
    'outcome': Result := Shown(area.Outcome(Letter(said[1]), StrToInt(said[2])));
    'can_move': Result := Shown(area.CanMove(Letter(said[1]), StrToInt(said[2])));
    'neighbour': Result := Shown(Neighbour(CellAt(said, 1), Letter(said[3])));
    'distances': Result := ShownDistances(area, CellAt(said, 1));
    'path':
      if Length(said) = 3 then
        Result := Shown(area.Path(CellAt(said, 1)))
      else
        Result := Shown(area.Path(CellAt(said, 1), CellAt(said, 3)));
    'step_towards': Result := area.StepTowards(CellsIn(said, 1, Length(said)));
    'first_step': Result := area.FirstStep(Goals(said));
  else
    raise Exception.Create('not a command: ' + said[0]);
  end;
end;

{ All of stdin, cut at line feeds alone: a board's lines may hold other line ends. }
function Commands: TWords;
const
  PIECE = 65536;
var
  text: string;
  filled, count, first, place: SizeInt;
begin
  text := '';
  filled := 0;
  repeat
    SetLength(text, filled + PIECE);
    count := FileRead(StdInputHandle, text[filled + 1], PIECE);
    Inc(filled, count);
  until count <= 0;
  Result := nil;
  count := 0;
  first := 1;
  for place := 1 to filled do
    if text[place] = #10 then
    begin
      if count = Length(Result) then
        SetLength(Result, 2 * count + 1024);
      Result[count] := Copy(text, first, place - first);
      Inc(count);
      first := place + 1;
    end;
  SetLength(Result, count);
end;

var
  lines, said: TWords;
  line, rows: Integer;
  area: TAreaInfo;
  written: string;
begin
  lines := Commands;
  line := 0;
  while line < Length(lines) do
  begin
    said := Words(lines[line]);
    Inc(line);
    try
      written := 'ok';
      case said[0] of
        'area':
          begin
            rows := StrToInt(said[1]);
            Inc(line, rows);
            area := TAreaInfo.Parse(Copy(lines, line - rows, rows));
          end;
        'after':
          area := area.After(Letter(said[1]), StrToInt(said[2]));
      else
        written := Answer(area, said);
        if written = '' then
          written := '-';
      end;
    except
      on ESnakeError do
        written := 'error';
    end;
    WriteLn(written);
  end;
end.
