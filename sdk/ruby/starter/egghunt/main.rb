# @NAME@: a first bot for the Easter egg hunt. It goes to the nearest egg that it sees, and straight on when it sees none.
#
# It is started anew each turn: it reads six lines, writes three and ends. What it wants to know next turn, it writes as the
# third line. Rule numbers are those of `referee rules egghunt`. What is written to $stderr goes to the bot's log.

# What each direction does to x and y (rule 3): they go clockwise, and the first is direction 1.
STEPS = [[-1, -1], [0, -1], [1, -1], [1, 0], [1, 1], [0, 1], [-1, 1], [-1, 0]].freeze
STAY = 9

# Direction, stance (A, C or N) and memory; `rows` are the five lines that it sees, with itself in the middle.
def choose(rows, memory)
  heading, dice = recall(memory)
  # As good as chance, and the same game can be played again.
  rows.join.each_byte { |byte| dice = (dice * 31 + byte) % 1_000_003 }
  direction = way_to_an_egg(rows)
  # Two who want the same egg would push each other back for ever, so now and then it goes on instead.
  direction = straight_on(rows, heading, dice / 8) if direction.nil? || (dice % 8).zero?
  onto_an_egg = direction != STAY && at(rows, STEPS[direction - 1]) == "o"
  # Only who does nothing collects (rule 5); elsewhere an attack pushes back whoever does nothing.
  [direction, onto_an_egg ? "N" : "A", "#{direction} #{dice}"]
end

# What is so many cells to the right and below: o an egg, # a wall, * a player, X nothing of the field, else blank.
def at(rows, cell)
  rows[2 + cell[1]][2 + cell[0]]
end

# Whether a cell is in view and can be entered.
def open?(rows, cell)
  cell.all? { |distance| distance.abs <= 2 } && !"#X".include?(at(rows, cell))
end

# The first step of a shortest way to an egg in view; nil without one.
def way_to_an_egg(rows)
  first = {} # by which first step a cell is reached; the nearest cells come first
  STEPS.each.with_index(1) { |step, number| first[step] = number if open?(rows, step) }
  cells = first.keys
  cells.each do |cell| # it grows while it is gone through
    return first[cell] if at(rows, cell) == "o"

    STEPS.each do |dx, dy|
      there = [cell[0] + dx, cell[1] + dy]
      next if !open?(rows, there) || first.key?(there)

      first[there] = first[cell]
      cells << there
    end
  end
  nil
end

# The direction of the last step, as long as no wall is there; then any other.
def straight_on(rows, heading, dice)
  free = (1..8).select { |number| open?(rows, STEPS[number - 1]) }
  return STAY if free.empty?

  free.include?(heading) && dice % 6 != 0 ? heading : free[dice / 6 % free.size]
end

# The last direction and the dice; in the first turn of a run the memory is empty.
def recall(memory)
  words = memory.split
  words.size == 2 ? words.map(&:to_i) : [STAY, 0]
end

*rows, memory = Array.new(6) { ($stdin.gets || "").chomp("\n") }
puts choose(rows, memory)
