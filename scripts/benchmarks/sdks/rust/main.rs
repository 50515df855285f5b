@KIT@
// Reads boards with the starter kit's code and waits. Logs the nanoseconds of the second half of REQUESTS.
fn main() -> io::Result<()> {
    let requests: usize = std::env::var("REQUESTS").expect("REQUESTS").parse().expect("a number");
    let mut lines = io::stdin().lock().lines().map_while(Result::ok);
    let mut answers = io::stdout().lock();
    let mut began = std::time::Instant::now();
    let mut turns = 0;
    while lines.next().is_some() {
        let board = Board::read(&mut lines).expect("a board");
        turns += 1;
        if turns == requests / 2 {
            began = std::time::Instant::now();
        } else if turns == requests {
            eprintln!("{}", began.elapsed().as_nanos());
        }
        writeln!(answers, "{}", if board.pythons.is_empty() { 'A' } else { 'N' })?;
        answers.flush()?;
    }
    Ok(())
}
