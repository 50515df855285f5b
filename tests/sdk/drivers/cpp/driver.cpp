// Asks the SDK what stdin tells it to ask: a line a command, a line an answer, so that SDKs can be compared.
//
// 1. `area K` makes the K lines behind it the current board, `after A P` the board after an action; both say `ok`.
// 2. All other commands are methods of the board or of a python, in the spelling with underscores.
// 3. Cells are `x,y`, an empty list or text is `-`, nobody is `-`; what the SDK refuses is `error`.

#include <algorithm>
#include <exception>
#include <functional>
#include <iostream>
#include <map>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "Snake.h"

namespace {

using namespace snake;
using Words = std::vector<std::string>;
using Command = std::function<std::string(const AreaInfo&, const Words&)>;

std::string shown(bool truth) { return truth ? "true" : "false"; }
std::string shown(const std::string& words) { return words.empty() ? "-" : words; }
std::string shown(Cell cell) { return std::to_string(cell.x) + "," + std::to_string(cell.y); }
std::string shown(char letter) { return std::string(1, letter); }
std::string shown(int number) { return std::to_string(number); }
std::string shown(long long number) { return std::to_string(number); }
std::string shown(const Python& python) { return shown(python.index); }
std::string shown(const Python* python) { return python == nullptr ? "-" : shown(*python); }

template <class Item>
std::string shown(const std::vector<Item>& items) {
    std::string line;
    for (const Item& item : items) line += (line.empty() ? "" : " ") + shown(item);
    return shown(line);
}

std::string shown(const Outcome& outcome) {
    return std::string(text(outcome.kind)) + " " + shown(outcome.target) + " " + shown(outcome.points) + " " +
           shown(std::string(text(outcome.why))) + " " + (outcome.victim ? shown(*outcome.victim) : "-");
}

std::string shown(const Distances& distances) {
    std::vector<Cell> cells = distances.cells();
    const auto byRow = [](Cell a, Cell b) { return std::make_pair(a.y, a.x) < std::make_pair(b.y, b.x); };
    std::sort(cells.begin(), cells.end(), byRow);
    std::string line;
    for (Cell cell : cells) line += (line.empty() ? "" : " ") + shown(cell) + "=" + shown(distances[cell]);
    return shown(line);
}

int numberAt(const Words& words, std::size_t place) { return std::stoi(words.at(place)); }

char letterAt(const Words& words, std::size_t place) {
    if (words.at(place).size() != 1) throw std::invalid_argument("not a letter: " + words[place]);
    return words[place][0];
}

Cell cellAt(const Words& words, std::size_t place) { return {numberAt(words, place), numberAt(words, place + 1)}; }

/// The groups of cells that a lone `/` separates.
std::vector<std::vector<Cell>> goalsOf(const Words& words) {
    std::vector<std::vector<Cell>> goals(1);
    for (std::size_t place = 1; place < words.size();) {
        if (words[place] == "/") {
            goals.emplace_back();
            ++place;
        } else {
            goals.back().push_back(cellAt(words, place));
            place += 2;
        }
    }
    return goals;
}

template <class Method>
Command ofBoard(Method method) {
    return [method](const AreaInfo& area, const Words&) { return shown(method(area)); };
}

template <class Method>
Command ofPython(Method method) {
    return [method](const AreaInfo& area, const Words& words) {
        return shown(method(area.pythons().at(static_cast<std::size_t>(numberAt(words, 1)))));
    };
}

Command ofCell(bool (AreaInfo::*method)(Cell) const) {
    return [method](const AreaInfo& area, const Words& words) { return shown((area.*method)(cellAt(words, 1))); };
}

std::map<std::string, Command> commands() {
    return {
        {"size", ofBoard([](const AreaInfo& area) { return area.size(); })},
        {"turn", ofBoard([](const AreaInfo& area) { return area.turn(); })},
        {"text", ofBoard([](const AreaInfo& area) {
             std::string rows = area.text();
             std::replace(rows.begin(), rows.end(), '\n', '/');
             return rows;
         })},
        {"pythons", ofBoard([](const AreaInfo& area) { return area.pythons(); })},
        {"me", ofBoard([](const AreaInfo& area) { return area.me(); })},
        {"rivals", ofBoard([](const AreaInfo& area) { return area.rivals(); })},
        {"reactors", ofBoard([](const AreaInfo& area) { return area.reactors(); })},
        {"free_blocks", ofBoard([](const AreaInfo& area) { return area.freeBlocks(); })},
        {"free_energy", ofBoard([](const AreaInfo& area) { return area.freeEnergy(); })},
        {"any_move", ofBoard([](const AreaInfo& area) { return area.anyMove(); })},
        {"index", ofPython([](const Python& python) { return python.index; })},
        {"shield", ofPython([](const Python& python) { return python.shield; })},
        {"cells", ofPython([](const Python& python) { return python.cells; })},
        {"blocks", ofPython([](const Python& python) { return python.blocks; })},
        {"head", ofPython([](const Python& python) { return python.head(); })},
        {"tail", ofPython([](const Python& python) { return python.tail(); })},
        {"body", ofPython([](const Python& python) { return python.body(); })},
        {"length", ofPython([](const Python& python) { return python.length(); })},
        {"energy", ofPython([](const Python& python) { return python.energy(); })},
        {"value", ofPython([](const Python& python) { return python.value(); })},
        {"owner", [](const AreaInfo& area, const Words& words) { return shown(area.owner(cellAt(words, 1))); }},
        {"is_inside", ofCell(&AreaInfo::isInside)},
        {"is_wall", ofCell(&AreaInfo::isWall)},
        {"is_reactor", ofCell(&AreaInfo::isReactor)},
        {"is_empty", ofCell(&AreaInfo::isEmpty)},
        {"is_head", ofCell(&AreaInfo::isHead)},
        {"is_block", ofCell(&AreaInfo::isBlock)},
        {"is_energy", ofCell(&AreaInfo::isEnergy)},
        {"is_linked", ofCell(&AreaInfo::isLinked)},
        {"is_free_block", ofCell(&AreaInfo::isFreeBlock)},
        {"outcome", [](const AreaInfo& area, const Words& words) {
             return shown(area.outcome(letterAt(words, 1), numberAt(words, 2)));
         }},
        {"can_move", [](const AreaInfo& area, const Words& words) {
             return shown(area.canMove(letterAt(words, 1), numberAt(words, 2)));
         }},
        {"neighbour", [](const AreaInfo&, const Words& words) {
             return shown(neighbour(cellAt(words, 1), letterAt(words, 3)));
         }},
        {"distances", [](const AreaInfo& area, const Words& words) { return shown(area.distances(cellAt(words, 1))); }},
        {"path", [](const AreaInfo& area, const Words& words) {
             const Cell to = cellAt(words, 1);
             return shown(words.size() > 3 ? area.path(to, cellAt(words, 3)) : area.path(to));
         }},
        {"step_towards", [](const AreaInfo& area, const Words& words) {
             return shown(area.stepTowards(goalsOf(words)[0]));
         }},
        {"first_step", [](const AreaInfo& area, const Words& words) { return shown(area.firstStep(goalsOf(words))); }},
    };
}

/// The answer to one command; may take more lines from stdin, and may change the board.
std::string answer(const std::map<std::string, Command>& known, const Words& words, std::optional<AreaInfo>& area) {
    if (words.at(0) == "area") {
        std::string request, line;
        for (int left = numberAt(words, 1); left > 0 && std::getline(std::cin, line); --left) request += line + "\n";
        area = AreaInfo::parse(request);
        return "ok";
    }
    if (words[0] == "after") {
        area = area.value().after(letterAt(words, 1), numberAt(words, 2));
        return "ok";
    }
    return known.at(words[0])(area.value(), words);
}

}  // namespace

int main() {
    const std::map<std::string, Command> known = commands();
    std::optional<AreaInfo> area;
    for (std::string line; std::getline(std::cin, line);) {
        std::istringstream source(line);
        Words words;
        for (std::string word; source >> word;) words.push_back(word);
        try {
            std::cout << answer(known, words, area) << '\n';
        } catch (const std::exception&) {
            std::cout << "error\n";
        }
    }
}
