// @NAME@: a first bot for the Easter egg hunt. It goes to the nearest egg in view, or straight on if there is none.
//
// Each turn, a new process reads six lines, writes three and ends. The third line is its memory for the next
// turn. Rule numbers are those of `referee rules egghunt`. Output to std::cerr goes to the bot's log.

#include <array>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

// An offset to the right and down.
using Cell = std::pair<int, int>;
using View = std::array<std::string, 5>;

// The change of x and y for each direction (rule 3), clockwise from direction 1.
const std::array<Cell, 8> STEPS{{{-1, -1}, {0, -1}, {1, -1}, {1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}}};
constexpr int STAY = 9;

/// The content of a cell in view: o an egg, # a wall, * a player, X outside the field, or a blank.
char at(const View& view, Cell cell) { return view[2 + cell.second][2 + cell.first]; }

/// Whether a cell is in view and can be entered.
bool isOpen(const View& view, Cell cell) {
    const bool inView = std::abs(cell.first) <= 2 && std::abs(cell.second) <= 2;
    return inView && at(view, cell) != '#' && at(view, cell) != 'X';
}

/// The first step of a shortest path to an egg in view; 0 if there is none.
int wayToAnEgg(const View& view) {
    std::map<Cell, int> first;  // the first step on the path to each cell
    std::vector<Cell> cells;    // the nearest come first
    const auto reach = [&](Cell cell, int step) {
        if (cell != Cell{0, 0} && isOpen(view, cell) && first.emplace(cell, step).second) cells.push_back(cell);
    };
    for (int number = 1; number <= 8; ++number) reach(STEPS[number - 1], number);
    for (std::size_t place = 0; place < cells.size(); ++place) {
        const Cell cell = cells[place];
        if (at(view, cell) == 'o') return first[cell];
        for (Cell step : STEPS) reach({cell.first + step.first, cell.second + step.second}, first[cell]);
    }
    return 0;
}

/// The direction of the last step until a wall is in the way; then any other.
int straightOn(const View& view, int heading, std::uint32_t dice) {
    std::vector<int> open;
    bool goesOn = false;
    for (int number = 1; number <= 8; ++number) {
        if (!isOpen(view, STEPS[number - 1])) continue;
        open.push_back(number);
        goesOn |= number == heading;
    }
    if (open.empty()) return STAY;
    return goesOn && dice % 6 != 0 ? heading : open[dice / 6 % open.size()];
}

int main() {
    View view;
    for (std::string& row : view) {
        std::getline(std::cin, row);
        row.resize(5, ' ');
    }
    int heading = STAY;      // the last direction; in the first turn of a run the memory is empty
    std::uint32_t dice = 0;  // pseudo-random, so that a game can be repeated
    std::cin >> heading >> dice;
    for (const std::string& row : view) {
        for (char letter : row) dice = (dice * 31 + static_cast<unsigned char>(letter)) % 1000003;
    }

    int direction = wayToAnEgg(view);
    // Two bots that want the same egg would push each other back for ever, so now and then it walks on instead.
    if (direction == 0 || dice % 8 == 0) direction = straightOn(view, heading, dice / 8);
    const bool ontoAnEgg = direction != STAY && at(view, STEPS[direction - 1]) == 'o';
    // Only N collects an egg (rule 5); elsewhere, an attack pushes back any player that does nothing.
    std::cout << direction << '\n' << (ontoAnEgg ? 'N' : 'A') << '\n' << direction << ' ' << dice << '\n';
}
