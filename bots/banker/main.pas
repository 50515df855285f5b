{ Banker: blocks are money, reactors are banks, rivals are robbers.

  1. For each action, it takes the board after it, the action's score, and the cost of the worst bite in reply. So it raises
     a shield in the last possible turn, and only if no step avoids the bite.
  2. From that board it plans a route of a few stops, which are free blocks and reactors. A banked load counts immediately,
     n(n + 1)/2 points; a carried block counts as its share of the target load, and time costs points.
  3. Cargo is discounted for every turn in which a rival could already be at the next stop or at my body, unless a raised or
     available shield covers that turn. So energy blocks are insurance, and a way home that a rival can block is worth less
     than a longer safe one.

  All limits are numbers of stops, never times: the same requests get the same answers on every machine. }
program Banker;

{$mode objfpc}{$H+}

uses
  Math, Snake;

const
  { The protocol does not say how long a game is; this is the usual length. Turns are reserved for the last trip home. }
  ROUNDS = 300;
  SPARE = 4;
  { The target load of a deposit: without insurance, and more for each energy block in the body. }
  GOAL = 14;
  GOAL_PER_ENERGY = 2;
  { The target is at most this share of its own and the free blocks, because the last ones take too long to find. }
  SHARE = 0.5;
  { The cost of a turn in points: about what it earns if all goes well. }
  PACE = 1.0;
  { The number of stops in a route, and of the nearest blocks and banks considered at each stop and near the head. }
  STOPS = 5;
  CHOICES = 4;
  BANKS = 2;
  NEAR = 20;
  { After so many unprotected turns within a rival's reach, half of the cargo counts as lost. }
  HALF_LIFE = 40;
  { The chance to get a block that a rival reaches before me. }
  CONTESTED = 0.4;
  { The worth of an energy block relative to an ordinary one. }
  ENERGY = 1.3;
  { The assumed probability that a rival uses its chance of a bite. }
  FEAR = 0.6;
  { The cost of a turn of waiting. }
  WAIT = 3.0;
  { The extra cost of a block bitten off its own body, as a share of its worth: the time to eat it again. }
  OWN_BITE = 1.0;
  { The share of the body that counts as lost if there is less room than the body is long. }
  SHUT = 0.1;
  FAR = 10000;

type
  { Moves by cell, FAR if it is unreachable: Map[x, y]. }
  TMap = array of array of Integer;

  { Maps that ignore bodies, computed on first use. All boards of a turn have the same walls. }
  TAtlas = class
  private
    FArea: TAreaInfo;
    FMaps: array of array of TMap;
  public
    constructor Create(const area: TAreaInfo);
    function Map(const place: TCell): TMap;
  end;

  TStop = record
    Place: TCell;
    { The moves between it and each cell. }
    Moves: TMap;
    { The moves of the rival that is nearest to it. }
    Rival: Integer;
    { The blocks that it adds to the cargo; 0 for a reactor. }
    Blocks: Double;
  end;
  TStops = array of TStop;

  { Finds the best route from one board. }
  TPlanner = class
  private
    FAtlas: TAtlas;
    FArea: TAreaInfo;
    { Blocks first, banks behind them. }
    FStops: TStops;
    FVisited: array of Boolean;
    FBlocks, FCount: Integer;
    { Turns that shields cover; moves of the nearest rival to my body. }
    FTurnsLeft, FCover, FGap: Integer;
    FAim, FPrice, FBest: Double;
    procedure AddBlocks;
    procedure AddStop(const cell: TCell; blocks: Double);
    function Home(stop: Integer): Integer;
    procedure Visit(stop, since, turns, visits: Integer; banked, load: Double);
    procedure GoOn(const ways: array of Integer; turns, visits: Integer; banked, load: Double);
  public
    constructor Create(atlas: TAtlas; const area: TAreaInfo; turnsLeft: Integer; aim: Double);
    { In points, including the cargo. }
    function Worth: Double;
  end;

function Deposit(load: Double): Double;
begin
  Result := load * (load + 1) / 2;
end;

{ The moves from a cell to each cell; to a reactor, they include the delivery. Without `waiting`, bodies are ignored, since
  they move on. With it, a path waits until a body has left a cell: bodies move on by one cell per turn (rule 9). }
function Surveyed(const area: TAreaInfo; const start: TCell; waiting: Boolean): TMap;
var
  clear: TMap;
  queue: TCells;
  queued: array of array of Boolean;
  python: TPython;
  here, beside: TCell;
  direction: Char;
  first, last, moves, x, i: Integer;
begin
  clear := nil;
  SetLength(clear, area.Size, area.Size);
  if waiting then
    for python in area.Pythons do
      for i := 0 to High(python.Cells) do
        // My head may enter the cell of my own tail while the tail leaves (rule 12), a rival's only afterwards.
        clear[python.Cells[i].x, python.Cells[i].y] := python.Length - i + Ord(python.Index > 0);
  Result := nil;
  SetLength(Result, area.Size, area.Size);
  for x := 0 to area.Size - 1 do
    FillDWord(Result[x][0], area.Size, FAR);
  queued := nil;
  SetLength(queued, area.Size, area.Size);
  // A ring buffer without duplicates; a cell that is reached sooner than before is added again.
  queue := nil;
  SetLength(queue, area.Size * area.Size + 1);
  queue[0] := start;
  Result[start.x, start.y] := 0;
  first := 0;
  last := 1;
  while first <> last do
  begin
    here := queue[first];
    first := (first + 1) mod Length(queue);
    queued[here.x, here.y] := False;
    if area.IsReactor(here) and (here <> start) then
      Continue;
    for direction in DIRECTIONS do
    begin
      beside := Neighbour(here, direction);
      if not area.IsInside(beside) or area.IsWall(beside) then
        Continue;
      moves := Max(Result[here.x, here.y] + 1, clear[beside.x, beside.y]);
      if moves >= Result[beside.x, beside.y] then
        Continue;
      Result[beside.x, beside.y] := moves;
      if queued[beside.x, beside.y] then
        Continue;
      queued[beside.x, beside.y] := True;
      queue[last] := beside;
      last := (last + 1) mod Length(queue);
    end;
  end;
end;

{ TAtlas }

constructor TAtlas.Create(const area: TAreaInfo);
begin
  FArea := area;
  SetLength(FMaps, area.Size, area.Size);
end;

function TAtlas.Map(const place: TCell): TMap;
begin
  if FMaps[place.x, place.y] = nil then
    FMaps[place.x, place.y] := Surveyed(FArea, place, False);
  Result := FMaps[place.x, place.y];
end;

{ The distance of the nearest rival's head from a block of mine, ignoring obstacles. }
function Gap(const area: TAreaInfo): Integer;
var
  rival: TPython;
  cell: TCell;
begin
  Result := FAR;
  for rival in area.Rivals do
    for cell in area.Me.Body do
      Result := Min(Result, Abs(rival.Head.x - cell.x) + Abs(rival.Head.y - cell.y));
end;

{ TPlanner }

constructor TPlanner.Create(atlas: TAtlas; const area: TAreaInfo; turnsLeft: Integer; aim: Double);
var
  bank: TCell;
begin
  FAtlas := atlas;
  FArea := area;
  FTurnsLeft := turnsLeft;
  FAim := aim;
  FPrice := (aim + 1) / 2;
  FCover := area.Me.Shield + SHIELD_TURNS * area.Me.Energy;
  FGap := Gap(area);
  SetLength(FStops, NEAR + Length(area.Reactors));
  AddBlocks;
  FBlocks := FCount;
  for bank in area.Reactors do
    AddStop(bank, 0);
  SetLength(FStops, FCount);
  SetLength(FVisited, FCount);
end;

function RivalMoves(const area: TAreaInfo; const map: TMap): Integer;
var
  rival: TPython;
begin
  Result := FAR;
  for rival in area.Rivals do
    Result := Min(Result, map[rival.Head.x, rival.Head.y]);
end;

procedure TPlanner.AddStop(const cell: TCell; blocks: Double);
var
  stop: TStop;
begin
  stop.Place := cell;
  stop.Moves := FAtlas.Map(cell);
  stop.Rival := RivalMoves(FArea, stop.Moves);
  stop.Blocks := blocks;
  FStops[FCount] := stop;
  Inc(FCount);
end;

procedure TPlanner.AddBlocks;
var
  map: TMap;
  cell: TCell;
  nearest: TCells;
  count, i: Integer;
begin
  map := FAtlas.Map(FArea.Me.Head);
  nearest := nil;
  SetLength(nearest, NEAR + 1);
  count := 0;
  for cell in FArea.FreeBlocks do
    if map[cell.x, cell.y] < FAR then
    begin
      i := count;
      while (i > 0) and (map[nearest[i - 1].x, nearest[i - 1].y] > map[cell.x, cell.y]) do
      begin
        nearest[i] := nearest[i - 1];
        Dec(i);
      end;
      nearest[i] := cell;
      count := Min(count + 1, NEAR);
    end;
  for i := 0 to count - 1 do
    AddStop(nearest[i], IfThen(FArea.IsEnergy(nearest[i]), ENERGY, 1));
end;

function TPlanner.Home(stop: Integer): Integer;
var
  bank: Integer;
begin
  Result := FAR;
  for bank := FBlocks to FCount - 1 do
    Result := Min(Result, FStops[bank].Moves[FStops[stop].Place.x, FStops[stop].Place.y]);
end;

{ Extends the route to that stop, which takes the turns from `since` to `turns`, and tries to extend it further. }
procedure TPlanner.Visit(stop, since, turns, visits: Integer; banked, load: Double);
var
  ways: array of Integer;
  value: Double;
  exposed, i: Integer;
begin
  if turns > FTurnsLeft then
    Exit;
  // In these turns, a rival could already be there or at my body, and no shield helps.
  exposed := turns - Max(since, Max(FCover, Min(FGap, FStops[stop].Rival)));
  if exposed > 0 then
    load := load * Power(0.5, exposed / HALF_LIFE);
  if stop >= FBlocks then
  begin
    banked := banked + Deposit(load);
    load := 0;
  end
  else if FStops[stop].Rival < turns then
    load := load + CONTESTED * FStops[stop].Blocks
  else
    load := load + FStops[stop].Blocks;
  value := banked - PACE * turns;
  if turns + Home(stop) + SPARE <= FTurnsLeft then
    value := value + FPrice * load;
  FBest := Max(FBest, value);
  if visits = STOPS then
    Exit;
  FVisited[stop] := True;
  ways := nil;
  SetLength(ways, FCount);
  for i := 0 to High(ways) do
    ways[i] := FStops[i].Moves[FStops[stop].Place.x, FStops[stop].Place.y];
  GoOn(ways, turns, visits, banked, load);
  FVisited[stop] := False;
end;

{ Tries the nearest blocks and, with a load, the nearest banks as next stops; `ways`: the moves to each stop. }
procedure TPlanner.GoOn(const ways: array of Integer; turns, visits: Integer; banked, load: Double);

  procedure TryNearest(first, last, wanted: Integer);
  var
    chosen: array[0..CHOICES] of Integer;
    count, stop, i: Integer;
  begin
    count := 0;
    chosen[0] := NOBODY;
    for stop := first to last do
      if not FVisited[stop] and (ways[stop] < FAR) then
      begin
        i := count;
        while (i > 0) and (ways[chosen[i - 1]] > ways[stop]) do
        begin
          chosen[i] := chosen[i - 1];
          Dec(i);
        end;
        chosen[i] := stop;
        count := Min(count + 1, wanted);
      end;
    for i := 0 to count - 1 do
      Visit(chosen[i], turns, turns + ways[chosen[i]], visits + 1, banked, load);
  end;

begin
  if load < FAim then
    TryNearest(0, FBlocks - 1, CHOICES);
  if load > 0 then
    TryNearest(FBlocks, FCount - 1, BANKS);
end;

function TPlanner.Worth: Double;
var
  ways: array of Integer;
  map: TMap;
  nearest, i: Integer;
begin
  map := Surveyed(FArea, FArea.Me.Head, True);
  ways := nil;
  SetLength(ways, FCount);
  nearest := FAR;
  for i := 0 to FCount - 1 do
  begin
    ways[i] := map[FStops[i].Place.x, FStops[i].Place.y];
    if i >= FBlocks then
      nearest := Min(nearest, ways[i]);
  end;
  // If no bank is reachable, it can only collect.
  if nearest = FAR then
    FAim := FAR;
  FBest := -FAR;
  GoOn(ways, 0, 0, 0, Length(FArea.Me.Blocks));
  Result := FBest;
end;

{ The blocks that the worst bite of a rival would take from me on that board. }
function WorstBite(const board: TAreaInfo): Integer;
var
  rival: TPython;
  direction: Char;
  bite: TOutcome;
begin
  Result := 0;
  for rival in board.Rivals do
    for direction in DIRECTIONS do
    begin
      bite := board.Outcome(direction, rival.Index);
      if bite.Victim = 0 then
        Result := Max(Result, bite.Points);
    end;
end;

{ Whether I am shut in on that board: fewer cells can be entered, one after the other, than I have blocks. }
function ShutIn(const board: TAreaInfo): Boolean;
var
  reached: TDistances;
  place: TCell;
  room, x, y: Integer;
begin
  reached := board.Distances(board.Me.Head);
  room := 0;
  for x := 0 to board.Size - 1 do
    for y := 0 to board.Size - 1 do
    begin
      place := Cell(x, y);
      if (reached[place] > 0) and (board.IsEmpty(place) or board.IsFreeBlock(place) or (place = board.Me.Tail)) then
        Inc(room);
    end;
  Result := room < Length(board.Me.Blocks);
end;

{ The worth of an action in points: its score, the worth of the plan after it, and its risks. }
function Value(atlas: TAtlas; const area: TAreaInfo; action: Char; turnsLeft: Integer; aim: Double): Double;
var
  outcome: TOutcome;
  board: TAreaInfo;
  planner: TPlanner;
  idle: Boolean;

  { The cost of losing that many of the blocks. }
  function Loss(blocks, lost: Integer): Double;
  begin
    Result := Max(lost * (aim + 1) / 2, Deposit(blocks) - Deposit(blocks - lost));
  end;

begin
  outcome := area.Outcome(action);
  board := area.After(action);
  planner := TPlanner.Create(atlas, board, turnsLeft, aim);
  try
    Result := outcome.Points + planner.Worth;
  finally
    planner.Free;
  end;
  Result := Result - FEAR * Loss(Length(board.Me.Blocks), WorstBite(board));
  idle := (outcome.Kind in [TKind.Wait, TKind.Deliver]) and (outcome.Points = 0);
  // Waiting gets the same penalty as a narrow place, so the bot does not wait in front of one.
  if idle or ShutIn(board) then
    Result := Result - SHUT * Loss(Length(board.Me.Blocks), Length(board.Me.Blocks));
  if idle then
    Result := Result - WAIT
  else if outcome.Victim = 0 then
    Result := Result - OWN_BITE * Loss(Length(area.Me.Blocks), Length(area.Me.Blocks) - Length(board.Me.Blocks));
end;

function Choose(const area: TAreaInfo): Char;
var
  atlas: TAtlas;
  action: Char;
  turnsLeft, supply: Integer;
  aim, worth, best: Double;
begin
  turnsLeft := ROUNDS - area.Turn;
  if turnsLeft < 0 then
    turnsLeft := ROUNDS;
  supply := Length(area.Me.Blocks) + Length(area.FreeBlocks);
  aim := Min(GOAL + GOAL_PER_ENERGY * area.Me.Energy, SHARE * supply);
  Result := 'N';
  best := -Infinity;
  atlas := TAtlas.Create(area);
  try
    for action in ACTIONS do
    begin
      if area.Outcome(action).Kind = TKind.Skip then
        Continue;
      worth := Value(atlas, area, action, turnsLeft, aim);
      if worth > best then
      begin
        best := worth;
        Result := action;
      end;
    end;
  finally
    atlas.Free;
  end;
end;

begin
  Run('Banker', @Choose);
end.
