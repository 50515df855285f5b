// A bot that gives itself away: it prints, it throws on a field of 3 x 3, and answers a NUL on one of 4 x 4.

#include <cstdlib>
#include <iostream>
#include <stdexcept>

#include "Snake.h"

int main() {
    const char* const names[] = {"Tell Tale"};
    const char* const number = std::getenv("NAME");
    snake::run(names[number ? std::atoi(number) : 0], [](const snake::AreaInfo& area) {
        std::cout << "thinking" << std::endl;
        if (area.size() == 3) throw std::runtime_error("a field of 3 x 3");
        return area.size() == 4 ? '\0' : area.stepTowards(area.freeBlocks());
    });
}
