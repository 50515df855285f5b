// Hunts for Easter eggs: steps towards the nearest one, and attacks on the way. Two lines will do: it remembers nothing.
#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <iostream>
#include <string>

int sign(int number) { return (number > 0) - (number < 0); }

int main() {
    std::string field[5];
    for (auto& row : field) std::getline(std::cin, row);
    int nearest = 9, x = 0, y = 0;
    for (int dy = -2; dy <= 2; ++dy) {
        for (int dx = -2; dx <= 2; ++dx) {
            const int far = std::max(std::abs(dx), std::abs(dy));
            if (field[dy + 2][dx + 2] == 'o' && far < nearest) nearest = far, x = sign(dx), y = sign(dy);
        }
    }
    const int compass[3][3] = {{1, 2, 3}, {8, 9, 4}, {7, 6, 5}};
    std::srand(std::time(nullptr) ^ std::hash<std::string>()(field[0] + field[1] + field[2] + field[3] + field[4]));
    std::cout << (nearest < 9 ? compass[y + 1][x + 1] : std::rand() % 8 + 1) << "\n" << (nearest == 1 ? "N" : "A") << "\n";
}
