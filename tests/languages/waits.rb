# A player of SnakeCore that waits, in Ruby.

$stdout.sync = true
while (line = gets)
  if line == "getName\n"
    puts "in Ruby"
  else
    heads = Array.new(gets.to_i) { gets.count("p") }.sum
    heads.times { gets }
    puts "N"
  end
end
