//! @NAME@: a first bot for SnakeCore. It collects blocks, carries them home, and keeps its body out of rivals' reach.
//!
//! The referee writes requests to stdin and waits for one line on stdout after each:
//!     getName      our name, at most 32 characters
//!     getAction    then n, n rows of the field, and for each python, mine first: shield length x0 y0 x1 y1 ...
//!                  our answer is one of U L D R (move), N (wait), A (raise the shield)
//! stdout is for answers only: eprintln! shows what happens. `choose` decides; start reading there.
//! Rule numbers are those of `referee rules`.

use std::collections::VecDeque;
use std::io::{self, BufRead, Write};

/// It delivers with this many blocks. n blocks score n(n + 1)/2 (rule 13), so larger loads score more and risk more.
const ENOUGH: usize = 10;

const DIRECTIONS: [char; 4] = ['U', 'L', 'D', 'R'];

struct Python {
    shield: u32,
    /// The head first, the tail last.
    cells: Vec<usize>,
}

impl Python {
    fn head(&self) -> usize {
        self.cells[0]
    }

    fn tail(&self) -> usize {
        self.cells[self.cells.len() - 1]
    }
}

/// A cell is one number: (y + 1) * width + x + 1. The field has a frame of walls, so no step leaves it.
struct Board {
    width: usize,
    /// W R b e p, and . for anything else.
    field: Vec<u8>,
    /// Whose head or block occupies a cell.
    owner: Vec<Option<usize>>,
    /// Mine is the first.
    pythons: Vec<Python>,
}

impl Board {
    /// Reads the lines after getAction; None if the input ends within them.
    fn read(lines: &mut impl Iterator<Item = String>) -> Option<Board> {
        let size: usize = lines.next()?.trim().parse().expect("the size of the field");
        let width = size + 2;
        let mut field = vec![b'W'; width * width];
        for y in 0..size {
            let row = lines.next()?.into_bytes();
            for x in 0..size {
                let letter = row.get(x).copied().filter(|letter| b"WRbep".contains(letter));
                field[(y + 1) * width + x + 1] = letter.unwrap_or(b'.');
            }
        }
        let mut owner = vec![None; field.len()];
        let mut pythons = Vec::new();
        let heads = field.iter().filter(|&&letter| letter == b'p').count(); // the request has no count
        for index in 0..heads {
            let line = lines.next()?;
            let numbers: Vec<usize> = line.split_whitespace().map(|word| word.parse().expect("a number")).collect();
            let cells: Vec<usize> = numbers[2..].chunks(2).map(|at| (at[1] + 1) * width + at[0] + 1).collect();
            for &cell in &cells {
                owner[cell] = Some(index);
            }
            pythons.push(Python { shield: numbers[0] as u32, cells });
        }
        Some(Board { width, field, owner, pythons })
    }

    fn me(&self) -> &Python {
        &self.pythons[0]
    }

    fn beside(&self, cell: usize, direction: char) -> usize {
        match direction {
            'U' => cell - self.width,
            'L' => cell - 1,
            'D' => cell + self.width,
            'R' => cell + 1,
            _ => cell,
        }
    }

    fn is_block(&self, cell: usize) -> bool {
        matches!(self.field[cell], b'b' | b'e')
    }

    fn is_free_block(&self, cell: usize) -> bool {
        self.is_block(cell) && self.owner[cell].is_none()
    }

    fn is_reactor(&self, cell: usize) -> bool {
        self.field[cell] == b'R'
    }

    /// Whether a cell is empty or my own tail, which moves away before I get there (rule 12).
    fn is_clear(&self, cell: usize) -> bool {
        self.field[cell] == b'.' || self.is_block(cell) && cell == self.me().tail()
    }

    /// Whether my head can move there by a bite; tails and shielded pythons cannot be bitten (rules 11 and 15).
    fn is_bite(&self, cell: usize) -> bool {
        match self.owner[cell] {
            Some(index) if self.is_block(cell) => {
                let owner = &self.pythons[index];
                cell != owner.tail() && owner.shield == 0
            }
            _ => false,
        }
    }

    /// The first move of a shortest path to the nearest cell of a kind. Paths lead through clear cells and free blocks;
    /// a reactor can only be their end.
    fn step_to_nearest(&self, wanted: fn(&Board, usize) -> bool) -> Option<char> {
        let start = self.me().head();
        let mut reached = vec![false; self.field.len()];
        let mut queue = VecDeque::from([(start, None)]);
        reached[start] = true;
        while let Some((cell, first)) = queue.pop_front() {
            if wanted(self, cell) {
                return first;
            }
            if self.is_reactor(cell) {
                continue;
            }
            for direction in DIRECTIONS {
                let beside = self.beside(cell, direction);
                let open = self.is_clear(beside) || self.is_free_block(beside) || self.is_reactor(beside);
                if open && !reached[beside] {
                    reached[beside] = true;
                    queue.push_back((beside, first.or(Some(direction))));
                }
            }
        }
        None
    }

    /// A move when there is no better one: to a clear cell, or else to a free block, or else by a bite; N if none is
    /// possible.
    fn any_move(&self) -> char {
        let kinds = [Board::is_clear, Board::is_free_block, Board::is_bite];
        let moves = kinds.iter().flat_map(|kind| DIRECTIONS.map(|direction| (kind, direction)));
        let mut possible = moves.filter(|(kind, direction)| kind(self, self.beside(self.me().head(), *direction)));
        possible.next().map_or('N', |(_, direction)| direction)
    }

    /// Where I would go without rivals: to a reactor if I carry enough blocks or none are left, otherwise to the
    /// nearest block.
    fn errand(&self) -> char {
        let blocks = self.me().cells.len() - 1;
        let home = || self.step_to_nearest(Board::is_reactor);
        let mut step = if blocks >= ENOUGH { home() } else { None };
        step = step.or_else(|| self.step_to_nearest(Board::is_free_block));
        step = step.or_else(|| if blocks > 0 { home() } else { None });
        step.unwrap_or_else(|| self.any_move())
    }

    /// How many blocks a rival could bite off me in its next turn if I did this now (U L D R or N). A head can bite a
    /// block beside it that is not my tail, and bites off everything from there on (rule 11).
    fn danger(&self, action: char) -> usize {
        let target = self.beside(self.me().head(), action);
        if self.is_reactor(target) || self.me().shield > 0 {
            return 0; // the body is delivered or protected
        }
        let mut chain = self.me().cells.clone();
        if self.is_bite(target) {
            // after a bite into myself, the blocks behind it are lost
            chain.truncate(chain.iter().position(|&cell| cell == target).unwrap_or(chain.len()));
        }
        if action != 'N' {
            chain.insert(0, target);
            if !self.is_bite(target) && !self.is_free_block(target) {
                chain.pop(); // nothing was eaten: each block moves to the place of the one before it
            }
        }
        let bitten = |block: &usize| {
            let mut heads = self.pythons[1..].iter().map(Python::head);
            heads.any(|head| DIRECTIONS.iter().any(|&direction| self.beside(head, direction) == *block))
        };
        let body = &chain[1..];
        let first = body.iter().take(body.len().saturating_sub(1)).position(bitten);
        first.map_or(0, |place| body.len() - place)
    }

    /// The action of this turn: the one that I want, or a safer one.
    fn choose(&self) -> char {
        let mut best = self.errand();
        // Waiting is not an option, since two careful bots would wait for each other.
        for action in DIRECTIONS {
            let target = self.beside(self.me().head(), action);
            let open = self.is_clear(target) || self.is_free_block(target);
            if open && self.danger(action) < self.danger(best) {
                best = action;
            }
        }
        let energy = self.me().cells.iter().any(|&cell| self.field[cell] == b'e');
        if self.danger(best) > 0 && energy {
            return 'A'; // ten turns of protection for a block (rule 14)
        }
        best
    }
}

fn main() -> io::Result<()> {
    let mut lines = io::stdin().lock().lines().map_while(Result::ok); // without their ends, LF or CRLF
    let mut answers = io::stdout().lock();
    while let Some(request) = lines.next() {
        match request.as_str() {
            "getName" => writeln!(answers, "@NAME@")?,
            "getAction" => match Board::read(&mut lines) {
                Some(board) => writeln!(answers, "{}", board.choose())?,
                None => break, // the input has ended: the match is over
            },
            unknown => panic!("an unknown request: {unknown}"),
        }
        answers.flush()?; // without this, the answer could stay in the buffer
    }
    Ok(())
}
