# @NAME@: a first bot for the Easter egg hunt. It goes to the nearest egg in view, or straight on if there is none.
#
# Each turn, a new process reads six lines, writes three and ends. The third line is its memory for the next
# turn. Rule numbers are those of `referee rules egghunt`. Output to $stderr goes to the bot's log.

# The change of x and y for each direction (rule 3), clockwise from direction 1.
STEPS = [[-1, -1], [0, -1], [1, -1], [1, 0], [1, 1], [0, 1], [-1, 1], [-1, 0]].freeze
STAY = 9

# Direction, stance (A, C or N) and memory; `rows` are the five lines of its view, with itself in the middle.
def choose(rows, memory)
  heading, dice = recall(memory)
  # Pseudo-random, so that a game can be repeated.
  rows.join.each_byte { |byte| dice = (dice * 31 + byte) % 1_000_003 }
  direction = way_to_an_egg(rows)
  # Two bots that want the same egg would push each other back for ever, so now and then it walks on instead.
  direction = straight_on(rows, heading, dice / 8) if direction.nil? || (dice % 8).zero?
  onto_an_egg = direction != STAY && at(rows, STEPS[direction - 1]) == "o"
  # Only N collects an egg (rule 5); elsewhere, an attack pushes back any player that does nothing.
  [direction, onto_an_egg ? "N" : "A", "#{direction} #{dice}"]
end

# The cell at this offset to the right and down: o an egg, # a wall, * a player, X outside the field, or a blank.
def at(rows, cell)
  rows[2 + cell[1]][2 + cell[0]]
end

# Whether a cell is in view and can be entered.
def open?(rows, cell)
  cell.all? { |distance| distance.abs <= 2 } && !"#X".include?(at(rows, cell))
end

# The first step of a shortest path to an egg in view; nil if there is none.
def way_to_an_egg(rows)
  first = {} # the first step on the path to each cell, the nearest cells first
  STEPS.each.with_index(1) { |step, number| first[step] = number if open?(rows, step) }
  cells = first.keys
  cells.each do |cell| # the list grows during the loop
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

# The direction of the last step until a wall is in the way; then any other.
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
