// Features that a C++ player may use: the locale, threads, std::async, timed waits, big memory, realloc, exceptions, files it may read.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <fstream>
#include <future>
#include <iostream>
#include <locale>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <vector>

int main(int, char **argv) {
    std::locale::global(std::locale(""));
    std::string line;
    std::getline(std::cin, line);
    std::vector<std::future<long>> sums;
    for (int part = 0; part < 8; part++)
        sums.push_back(std::async(std::launch::async, [part] {
            long sum = 0;
            for (int i = 0; i < 100000; i++) sum += i % (part + 1);
            return sum;
        }));
    long total = 0;
    for (auto &sum : sums) total += sum.get();
    std::atomic<int> count{0};
    std::mutex mutex;
    std::condition_variable ready;
    std::vector<std::thread> threads;
    for (int i = 0; i < 20; i++)
        threads.emplace_back([&] {
            std::lock_guard<std::mutex> lock(mutex);
            thread_local int own = 1;
            count += own;
            ready.notify_one();
        });
    {
        std::unique_lock<std::mutex> lock(mutex);
        if (!ready.wait_for(lock, std::chrono::seconds(20), [&] { return count == 20; })) return 1;
    }
    for (auto &thread : threads) thread.join();
    char *memory = static_cast<char *>(std::malloc(1 << 20));
    for (size_t size = 1 << 20; size <= 1 << 26; size *= 2) {
        memory = static_cast<char *>(std::realloc(memory, size));
        if (!memory) return 2;
        memory[size - 1] = 1;
    }
    std::free(memory);
    std::random_device random;
    std::ifstream self(argv[0], std::ios::binary);
    char first = 0;
    self.read(&first, 1);
    try {
        throw std::string("thrown");
    } catch (const std::string &) {
        if (first == 0x7f && total > 0 && random() + 1 > 0) std::cout << "played " << line << std::endl;
    }
}
