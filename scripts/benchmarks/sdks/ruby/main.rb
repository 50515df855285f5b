# Reads boards with the starter kit's code and waits. Logs the nanoseconds of the second half of REQUESTS.
module Reader # if this module exists, the loop of the kit below does not run
end

@KIT@

requests = ENV.fetch("REQUESTS").to_i
began = 0
turns = 0
while gets
  board = Board.read
  abort "not a board" if board.nil?
  turns += 1
  began = Process.clock_gettime(Process::CLOCK_MONOTONIC, :nanosecond) if turns == requests / 2
  warn Process.clock_gettime(Process::CLOCK_MONOTONIC, :nanosecond) - began if turns == requests
  puts "N"
end
