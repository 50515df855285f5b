// A player of SnakeCore that waits, in Rust.
use std::io::{self, BufRead, Write};

fn main() {
    let mut lines = io::stdin().lock().lines().map(|line| line.unwrap());
    while let Some(line) = lines.next() {
        if line == "getName" {
            println!("in Rust");
        } else {
            let size: usize = lines.next().unwrap().parse().unwrap();
            let field: String = lines.by_ref().take(size).collect();
            lines.by_ref().take(field.matches('p').count()).for_each(drop);
            println!("N");
        }
        io::stdout().flush().unwrap();
    }
}
