// Reads boards with the SDK and waits. Logs the nanoseconds of the second half of REQUESTS.

#include <chrono>
#include <cstdlib>
#include <iostream>

#include "Snake.h"

const int REQUESTS = std::atoi(std::getenv("REQUESTS"));
int turns = 0;
std::chrono::steady_clock::time_point began;

char choose(const snake::AreaInfo&) {
    using namespace std::chrono;
    turns++;
    if (turns == REQUESTS / 2) {
        began = steady_clock::now();
    } else if (turns == REQUESTS) {
        std::cerr << duration_cast<nanoseconds>(steady_clock::now() - began).count() << std::endl;
    }
    return 'N';
}

int main() { snake::run("Reader", choose); }
