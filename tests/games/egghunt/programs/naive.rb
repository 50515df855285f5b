# Hunts for Easter eggs. Run with: ruby naive.rb
field = Array.new(5) { gets.chomp }
gets # the memory, which is not used

moves = { 1 => [-1, -1], 2 => [0, -1], 3 => [1, -1], 4 => [1, 0], 5 => [1, 1], 6 => [0, 1], 7 => [-1, 1], 8 => [-1, 0] }
free = moves.reject { |_, (x, y)| "#X".include?(field[2 + y][2 + x]) }
beside = free.keys.find { |way| field[2 + free[way][1]][2 + free[way][0]] == "o" }
beyond = free.keys.find { |way| field[2 + 2 * free[way][1]][2 + 2 * free[way][0]] == "o" }

puts beside || beyond || free.keys.sample || 9
puts "N"
puts ""
