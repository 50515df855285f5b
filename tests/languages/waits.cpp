// A player of SnakeCore that waits, in C++: counts the heads in another thread, answers N.
#include <algorithm>
#include <future>
#include <iostream>
#include <string>

int main()
{
    std::string line;
    while (std::getline(std::cin, line)) {
        if (line == "getName") {
            std::cout << "in C++" << std::endl;
            continue;
        }
        std::getline(std::cin, line);
        const int size = std::stoi(line);
        std::string field;
        for (int y = 0; y < size; y++) {
            std::getline(std::cin, line);
            field += line;
        }
        auto heads = std::async(std::launch::async, [&] { return std::count(field.begin(), field.end(), 'p'); });
        for (auto left = heads.get(); left > 0; left--)
            std::getline(std::cin, line);
        std::cout << "N" << std::endl;
    }
}
