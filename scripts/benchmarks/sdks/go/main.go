// Reads boards with the starter kit's code and waits. Logs the nanoseconds of the second half of REQUESTS.
package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"time"
)

func main() {
	requests, err := strconv.Atoi(os.Getenv("REQUESTS"))
	if err != nil {
		panic(err)
	}
	input := bufio.NewReader(os.Stdin)
	var began time.Time
	for turns := 1; ; turns++ {
		if _, err := readLine(input); err != nil {
			return
		}
		if _, err := readBoard(input); err != nil {
			panic(err)
		}
		if turns == requests/2 {
			began = time.Now()
		} else if turns == requests {
			fmt.Fprintln(os.Stderr, time.Since(began).Nanoseconds())
		}
		fmt.Println("N")
	}
}
