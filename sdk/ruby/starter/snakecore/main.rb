# @NAME@: a first bot for SnakeCore. It collects blocks, carries them home, and keeps its body out of rivals' reach.
#
# The referee writes requests to our input and waits for one line on our output for each:
#   getName      our name, at most 32 bytes
#   getAction    then n, n rows of the field, and for each python, mine first: shield length x0 y0 x1 y1 ...
#                our answer is one of U L D R (move), N (wait), A (raise the shield)
# stdout is for answers alone: write to $stderr to see what happens. `choose` decides; start to read there, at the end.
# Rule numbers are those of `referee rules`.

# With so many blocks it goes home. n blocks score n(n + 1)/2 (rule 13): more is worth more, and is more to lose.
ENOUGH = 10
# What each move adds to x and y.
MOVES = { "U" => [0, -1], "L" => [-1, 0], "D" => [0, 1], "R" => [1, 0] }.freeze

# The cell that a move from this one is aimed at, which is the same for N. A cell is [x, y].
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

# What a request tells; pythons[0] is mine.
class Board
  attr_reader :pythons

  # What follows a getAction line; nil where the input ends within it.
  def self.read
    rows = Array.new(gets.to_i) { gets.to_s.chomp }
    pythons = Array.new(rows.sum { |row| row.count("p") }) do # how many there are is not sent
      shield, _length, *numbers = gets.to_s.split.map(&:to_i)
      Python.new(shield, numbers.each_slice(2).to_a)
    end
    new(rows, pythons) unless pythons.any? { |python| python.cells.empty? }
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

  # W R b e p, and . for anything else; around the field there are walls.
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

  # Whether my head can go there by biting; the tail and a shielded python cannot be bitten (rules 11 and 15).
  def bite?(cell)
    owner = @owner[cell]
    block?(cell) && !owner.nil? && cell != owner.tail && owner.shield.zero?
  end

  # An empty cell, or my own tail, which runs away before I get there (rule 12).
  def clear?(cell)
    at(cell) == "." || (block?(cell) && cell == me.tail)
  end
end

# The first move of a shortest way to the nearest cell of a kind; nil if there is none. Ways lead through clear cells and
# free blocks; a reactor can only be their end.
def step_to_nearest(board, kind)
  first = { board.me.head => nil } # the first move on the way to each cell that was reached
  queue = [board.me.head]
  queue.each do |cell| # it grows while it is gone through
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

# Some move, for want of a better one: to a clear cell, else to a free block, else by a bite; N if I am walled in.
def any_move(board)
  %i[clear? free_block? bite?].each do |kind|
    MOVES.each_key { |letter| return letter if board.public_send(kind, beside(board.me.head, letter)) }
  end
  "N"
end

# Where I would go if I were alone: home with enough blocks or when there are no more, else to the nearest block.
def errand(board)
  blocks = board.me.cells.size - 1
  step = step_to_nearest(board, :reactor?) if blocks >= ENOUGH
  step ||= step_to_nearest(board, :free_block?)
  step ||= step_to_nearest(board, :reactor?) if blocks.positive?
  step || any_move(board)
end

# How many blocks a rival could bite off me in its next turn, if I did this now (U L D R or N). It bites where its head is
# beside a block that is not my tail, and gets all from there on (rule 11).
def danger(board, action)
  me = board.me
  target = beside(me.head, action)
  return 0 if board.reactor?(target) || me.shield.positive? # the body is delivered, or it is safe

  cells = action == "N" ? me.cells : [target, *me.cells] # each block goes where the one before it was
  # Who moves leaves the tail's cell; who eats does not; a bite into myself loses the blocks behind it.
  length = me.cells.size
  length += 1 if board.free_block?(target)
  length = (me.cells.index(target) || length) + 1 if action != "N" && board.bite?(target)
  reached = board.pythons.drop(1).flat_map { |rival| MOVES.keys.map { |letter| beside(rival.head, letter) } }
  nearest = (1...length - 1).find { |k| reached.include?(cells[k]) }
  nearest.nil? ? 0 : length - nearest
end

# The action of this turn: what I wish for, or what is safer.
def choose(board)
  best = errand(board)
  # To wait is not among them: two careful bots would wait for each other.
  MOVES.each_key do |letter|
    target = beside(board.me.head, letter)
    open = board.clear?(target) || board.free_block?(target)
    best = letter if open && danger(board, letter) < danger(board, best)
  end
  energy = board.me.cells.drop(1).any? { |cell| board.at(cell) == "e" }
  danger(board, best).positive? && energy ? "A" : best # ten turns of protection for a block (rule 14)
end

$stdout.sync = true # without this the referee would wait for our answer in vain
while (request = gets)
  case request.chomp
  when "getName"
    puts "@NAME@"
  when "getAction"
    board = Board.read
    break if board.nil? # the input ends here: the match is over

    puts choose(board)
  else
    abort "an unknown request: #{request}"
  end
end
