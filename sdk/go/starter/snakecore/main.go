// @NAME@: a first bot for SnakeCore. It collects blocks, carries them home, and keeps its body out of rivals' reach.
//
// The referee writes requests to our input and waits for one line on our output for each:
//
//	getName      our name, at most 32 bytes
//	getAction    then n, n rows of the field, and for each python, mine first: shield length x0 y0 x1 y1 ...
//	             our answer is one of U L D R (move), N (wait), A (raise the shield)
//
// stdout is for answers alone: print to os.Stderr to see what happens. choose decides; start to read there.
// Rule numbers are those of `referee rules`.
package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
)

// With so many blocks it goes home. n blocks score n(n + 1)/2 (rule 13): more is worth more, and is more to lose.
const enough = 10

const directions = "ULDR"

const nobody = -1

type python struct {
	shield int
	cells  []int // the head first, the tail last
}

func (p *python) head() int { return p.cells[0] }

func (p *python) tail() int { return p.cells[len(p.cells)-1] }

// A cell is one number: (y + 1) * width + x + 1. The field has a frame of walls, so that no step leaves it.
type board struct {
	width   int
	field   []byte // W R b e p, and . for anything else
	owner   []int  // whose head or block lies in a cell, or nobody
	pythons []python
	me      *python
}

// readBoard reads what follows a getAction line. An error is the end of the input, or a request that is none.
func readBoard(input *bufio.Reader) (*board, error) {
	line, err := readLine(input)
	if err != nil {
		return nil, err
	}
	size, err := strconv.Atoi(strings.TrimSpace(line))
	if err != nil {
		return nil, err
	}
	width := size + 2
	b := &board{width: width, field: []byte(strings.Repeat("W", width*width)), owner: make([]int, width*width)}
	heads := 0 // how many pythons there are is not sent
	for y := 0; y < size; y++ {
		row, err := readLine(input)
		if err != nil {
			return nil, err
		}
		for x := 0; x < size; x++ {
			letter := byte('.')
			if x < len(row) && strings.IndexByte("WRbep", row[x]) >= 0 {
				letter = row[x]
			}
			if letter == 'p' {
				heads++
			}
			b.field[(y+1)*width+x+1] = letter
		}
	}
	for cell := range b.owner {
		b.owner[cell] = nobody
	}
	for index := 0; index < heads; index++ {
		line, err := readLine(input)
		if err != nil {
			return nil, err
		}
		var numbers []int
		for _, word := range strings.Fields(line) {
			number, err := strconv.Atoi(word)
			if err != nil {
				return nil, err
			}
			numbers = append(numbers, number)
		}
		p := python{shield: numbers[0]}
		for k := 2; k+1 < len(numbers); k += 2 {
			cell := (numbers[k+1]+1)*width + numbers[k] + 1
			b.owner[cell] = index
			p.cells = append(p.cells, cell)
		}
		b.pythons = append(b.pythons, p)
	}
	b.me = &b.pythons[0]
	return b, nil
}

// readLine gives the next line without its end.
func readLine(input *bufio.Reader) (string, error) {
	line, err := input.ReadString('\n')
	return strings.TrimRight(line, "\r\n"), err
}

func (b *board) beside(cell int, direction rune) int {
	switch direction {
	case 'U':
		return cell - b.width
	case 'L':
		return cell - 1
	case 'D':
		return cell + b.width
	case 'R':
		return cell + 1
	}
	return cell
}

func (b *board) isBlock(cell int) bool { return b.field[cell] == 'b' || b.field[cell] == 'e' }

func (b *board) isFreeBlock(cell int) bool { return b.isBlock(cell) && b.owner[cell] == nobody }

func (b *board) isReactor(cell int) bool { return b.field[cell] == 'R' }

// isClear tells an empty cell, or my own tail, which runs away before I get there (rule 12).
func (b *board) isClear(cell int) bool {
	return b.field[cell] == '.' || b.isBlock(cell) && cell == b.me.tail()
}

// isBite tells whether my head can go there by biting: neither the tail nor a shielded python (rules 11 and 15).
func (b *board) isBite(cell int) bool {
	if !b.isBlock(cell) || b.owner[cell] == nobody {
		return false
	}
	owner := &b.pythons[b.owner[cell]]
	return cell != owner.tail() && owner.shield == 0
}

// stepToNearest gives the first move of a shortest way to the nearest cell of a kind, N if there is none. Ways lead
// through clear cells and free blocks; a reactor can only be their end.
func (b *board) stepToNearest(wanted func(int) bool) rune {
	first := make([]rune, len(b.field)) // the first move on the way to each cell that was reached, else 0
	start := b.me.head()
	first[start] = 'N'
	for queue := []int{start}; len(queue) > 0; queue = queue[1:] {
		cell := queue[0]
		if wanted(cell) {
			return first[cell]
		}
		if b.isReactor(cell) {
			continue
		}
		for _, direction := range directions {
			beside := b.beside(cell, direction)
			if first[beside] == 0 && (b.isClear(beside) || b.isFreeBlock(beside) || b.isReactor(beside)) {
				first[beside] = first[cell]
				if cell == start {
					first[beside] = direction
				}
				queue = append(queue, beside)
			}
		}
	}
	return 'N'
}

// anyMove gives some move, for want of a better one: to a clear cell, else to a free block, else by a bite.
func (b *board) anyMove() rune {
	for _, possible := range []func(int) bool{b.isClear, b.isFreeBlock, b.isBite} {
		for _, direction := range directions {
			if possible(b.beside(b.me.head(), direction)) {
				return direction
			}
		}
	}
	return 'N'
}

// errand is where I would go if I were alone: home with enough blocks or when there are no more, else to the nearest.
func (b *board) errand() rune {
	blocks, step := len(b.me.cells)-1, 'N'
	if blocks >= enough {
		step = b.stepToNearest(b.isReactor)
	}
	if step == 'N' {
		step = b.stepToNearest(b.isFreeBlock)
	}
	if step == 'N' && blocks > 0 {
		step = b.stepToNearest(b.isReactor)
	}
	if step == 'N' {
		step = b.anyMove()
	}
	return step
}

// danger is how many blocks a rival could bite off me in its next turn, if I did this now (U L D R or N). It bites
// where its head is beside a block that is not my tail, and gets all from there on (rule 11).
func (b *board) danger(action rune) int {
	target, length := b.beside(b.me.head(), action), len(b.me.cells)
	if b.isReactor(target) || b.me.shield > 0 {
		return 0 // the body is delivered, or it is safe
	}
	if b.isFreeBlock(target) {
		length++
	} else if b.isBite(target) {
		length++
		for k, cell := range b.me.cells {
			if cell == target {
				length = k + 1 // a bite into myself: the blocks behind it are lost
			}
		}
	}
	for k := 1; k < length-1; k++ {
		block := b.me.cells[k-1] // when I move, each block goes where the one before it was
		if action == 'N' {
			block = b.me.cells[k]
		}
		for _, rival := range b.pythons[1:] {
			for _, direction := range directions {
				if b.beside(rival.head(), direction) == block {
					return length - k
				}
			}
		}
	}
	return 0
}

// choose gives the action of this turn: what I wish for, or what is safer.
func (b *board) choose() rune {
	best := b.errand()
	// To wait is not among them: two careful bots would wait for each other.
	for _, action := range directions {
		target := b.beside(b.me.head(), action)
		open := b.isClear(target) || b.isFreeBlock(target)
		if open && b.danger(action) < b.danger(best) {
			best = action
		}
	}
	for _, cell := range b.me.cells {
		if b.field[cell] == 'e' && b.danger(best) > 0 {
			return 'A' // ten turns of protection for a block (rule 14)
		}
	}
	return best
}

func main() {
	input := bufio.NewReader(os.Stdin)
	for {
		request, err := readLine(input)
		switch {
		case err == io.EOF:
			return
		case request == "getName":
			fmt.Println("@NAME@")
		case request == "getAction":
			b, err := readBoard(input)
			if err == io.EOF {
				return // the match is over
			}
			if err != nil {
				panic(err)
			}
			fmt.Println(string(b.choose())) // Println writes at once: there is no buffer to flush
		default:
			panic("an unknown request: " + request)
		}
	}
}
