# @NAME@: a first bot for SnakeCore. It collects blocks, carries them home, and keeps its body out of rivals' reach.
#
# The referee writes requests to stdin and waits for one line on stdout after each:
#   getName      our name, at most 32 characters
#   getAction    then n, n rows of the field, and for each python, mine first: shield length x0 y0 x1 y1 ...
#                our answer is one of U L D R (move), N (wait), A (raise the shield)
# stdout is for answers only: write to $stderr to see what happens. `choose` decides; start reading there, at the end.
# Rule numbers are those of `referee rules`.

# It delivers with this many blocks. n blocks score n(n + 1)/2 (rule 13), so larger loads score more and risk more.
ENOUGH = 10
# What each move adds to x and y.
MOVES = { "U" => [0, -1], "L" => [-1, 0], "D" => [0, 1], "R" => [1, 0] }.freeze

# The target of a move from this cell; the same cell for N. A cell is [x, y].
def beside(cell, action)
  dx, dy = MOVES.fetch(action, [0, 0])
  [cell[0] + dx, cell[1] + dy]
end

# `cells` has the head first and the tail last.
Python = Struct.new(:shield, :cells) do
  def head
    cells.first
  end

  def tail
    cells.last
  end
end

# The board of a request; pythons[0] is mine.
class Board
  attr_reader :pythons

  # Reads the lines after getAction; nil if the input ends within them.
  def self.read
    rows = Array.new(gets.to_i) { gets.to_s.chomp }
    pythons = Array.new(rows.sum { |row| row.count("p") }) do # the request does not say how many there are
      shield, _length, *numbers = gets.to_s.split.map(&:to_i)
      Python.new(shield, numbers.each_slice(2).to_a)
    end
    new(rows, pythons) unless pythons.empty? || pythons.last.cells.empty?
  end

  def initialize(rows, pythons)
    @rows = rows
    @pythons = pythons
    @owner = {}
    pythons.each { |python| python.cells.each { |cell| @owner[cell] = python } }
  end

  def me
    pythons.first
  end

  # W R b e p, and . for anything else; the field is surrounded by walls.
  def at(cell)
    x, y = cell
    return "W" if x.negative? || y.negative? || y >= @rows.size || x >= @rows.size

    letter = @rows[y][x] || "."
    "WRbep".include?(letter) ? letter : "."
  end

  def block?(cell)
    "be".include?(at(cell))
  end

  def free_block?(cell)
    block?(cell) && !@owner.key?(cell)
  end

  def reactor?(cell)
    at(cell) == "R"
  end

  # Whether my head can move there by a bite; tails and shielded pythons cannot be bitten (rules 11 and 15).
  def bite?(cell)
    owner = @owner[cell]
    block?(cell) && !owner.nil? && cell != owner.tail && owner.shield.zero?
  end

  # Whether a cell is empty or my own tail, which moves away before I get there (rule 12).
  def clear?(cell)
    at(cell) == "." || (block?(cell) && cell == me.tail)
  end
end

# The first move of a shortest path to the nearest cell of a kind; nil if there is none. Paths lead through clear cells
# and free blocks; a reactor can only be their end.
def step_to_nearest(board, kind)
  first = { board.me.head => nil } # the first move on the way to each cell that was reached
  queue = [board.me.head]
  queue.each do |cell| # the list grows during the loop
    return first[cell] if board.public_send(kind, cell)
    next if board.reactor?(cell)

    MOVES.each_key do |letter|
      there = beside(cell, letter)
      next if first.key?(there) || !(board.clear?(there) || board.free_block?(there) || board.reactor?(there))

      first[there] = first[cell] || letter
      queue << there
    end
  end
  nil
end

# A move when there is no better one: to a clear cell, or else to a free block, or else by a bite; N if none is
# possible.
def any_move(board)
  %i[clear? free_block? bite?].each do |kind|
    MOVES.each_key { |letter| return letter if board.public_send(kind, beside(board.me.head, letter)) }
  end
  "N"
end

# Where I would go without rivals: to a reactor if I carry enough blocks or none are left, otherwise to the nearest
# block.
def errand(board)
  blocks = board.me.cells.size - 1
  step = step_to_nearest(board, :reactor?) if blocks >= ENOUGH
  step ||= step_to_nearest(board, :free_block?)
  step ||= step_to_nearest(board, :reactor?) if blocks.positive?
  step || any_move(board)
end

# How many blocks a rival could bite off me in its next turn if I did this now (U L D R or N). A head can bite a block
# beside it that is not my tail, and bites off everything from there on (rule 11).
def danger(board, action)
  me = board.me
  target = beside(me.head, action)
  return 0 if board.reactor?(target) || me.shield.positive? # the body is delivered or protected

  cells = action == "N" ? me.cells : [target, *me.cells] # each block goes where the one before it was
  # A move frees the tail's cell, a meal does not; after a bite into myself, the blocks behind it are lost.
  length = me.cells.size
  length += 1 if board.free_block?(target)
  length = (me.cells.index(target) || length) + 1 if action != "N" && board.bite?(target)
  reached = board.pythons.drop(1).flat_map { |rival| MOVES.keys.map { |letter| beside(rival.head, letter) } }
  nearest = (1...length - 1).find { |k| reached.include?(cells[k]) }
  nearest.nil? ? 0 : length - nearest
end

# The action of this turn: the one that I want, or a safer one.
def choose(board)
  best = errand(board)
  # Waiting is not an option, since two careful bots would wait for each other.
  MOVES.each_key do |letter|
    target = beside(board.me.head, letter)
    open = board.clear?(target) || board.free_block?(target)
    best = letter if open && danger(board, letter) < danger(board, best)
  end
  energy = board.me.cells.drop(1).any? { |cell| board.at(cell) == "e" }
  danger(board, best).positive? && energy ? "A" : best # ten turns of protection for a block (rule 14)
end

$stdout.sync = true # without this, the answer would stay in the buffer
while (request = gets)
  case request.chomp
  when "getName"
    puts "@NAME@"
  when "getAction"
    board = Board.read
    break if board.nil? # the input has ended: the match is over

    puts choose(board)
  else
    abort "an unknown request: #{request}"
  end
end
