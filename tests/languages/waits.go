// A player of SnakeCore that waits, in Go.
package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
)

func main() {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		if in.Text() == "getName" {
			fmt.Println("in Go")
			continue
		}
		in.Scan()
		size, _ := strconv.Atoi(in.Text())
		heads := 0
		for y := 0; y < size; y++ {
			in.Scan()
			heads += strings.Count(in.Text(), "p")
		}
		for ; heads > 0; heads-- {
			in.Scan()
		}
		fmt.Println("N")
	}
}
