// SPDX-License-Identifier: BSD-3-Clause
#include "support/thread_communicator.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "base/assert.h"

namespace sheaf::testing {

namespace {

constexpr std::chrono::seconds kDeadline{20};

using Bytes = std::vector<std::byte>;

/// What one rank brought to a collective call.
struct Arrival {
    std::string call;  // Kind, length, root: must be equal on all ranks.
    std::span<std::byte> bytes;
    std::span<const std::byte> mine;
};

enum class State : std::uint8_t { computing, waiting, finished };

/// Where one rank is; the text is for people.
struct Place {
    State state = State::computing;
    std::string call;
    int calls = 0;
};

/// What the threads share. Thread-safe; everything is guarded by the one mutex.
class World {
public:
    explicit World(int ranks)
        : arrivals_(static_cast<std::size_t>(ranks)), places_(static_cast<std::size_t>(ranks)) {}

    [[nodiscard]] int size() const { return static_cast<int>(places_.size()); }

    /// Waits for all ranks; the last one runs `combine` over what all of them brought.
    void meet(Rank rank, Arrival arrival,
              const std::function<void(std::vector<Arrival>&)>& combine) {
        std::unique_lock lock(mutex_);
        enter(rank, arrival.call);
        arrivals_[index(rank)] = std::move(arrival);
        const std::uint64_t meeting = meetings_;
        if (++arrived_ == size()) {
            check_equal_calls();
            combine(arrivals_);
            arrived_ = 0;
            ++meetings_;
            changed_.notify_all();
        }
        wait(
            lock, [&] { return meetings_ != meeting; }, [&] { return any_finished(); });
        leave(rank);
    }

    void send(Rank from, Rank to, std::span<const std::byte> bytes) {
        const std::scoped_lock lock(mutex_);
        mail_[{from.value, to.value}].emplace_back(bytes.begin(), bytes.end());
        changed_.notify_all();
    }

    /// Waits for the next message of `from` to `to`.
    ByteCount receive(Rank from, Rank to, std::span<std::byte> room) {
        std::unique_lock lock(mutex_);
        enter(to, fmt::format("exchange (message of rank {})", from.value));
        auto& queue = mail_[{from.value, to.value}];
        wait(
            lock, [&] { return !queue.empty(); },
            [&] { return places_[index(from)].state == State::finished; });
        const Bytes message = std::move(queue.front());
        queue.pop_front();
        if (message.size() > room.size()) {
            fail(fmt::format("a message of {} bytes from rank {} to rank {} has room for {}",
                             message.size(), from.value, to.value, room.size()));
        }
        std::ranges::copy(message, room.begin());
        leave(to);
        return {std::ssize(message)};
    }

    void finish(Rank rank) {
        const std::scoped_lock lock(mutex_);
        places_[index(rank)].state = State::finished;
        changed_.notify_all();
    }

    /// After all ranks: nothing may lie around.
    void check_mail() {
        const std::scoped_lock lock(mutex_);
        for (const auto& [who, queue] : mail_) {
            if (!queue.empty())
                fail(fmt::format("rank {} never received a message of rank {}", who.second,
                                 who.first));
        }
    }

private:
    static std::size_t index(Rank rank) { return static_cast<std::size_t>(rank.value); }

    void enter(Rank rank, const std::string& call) {
        Place& place = places_[index(rank)];
        SHEAF_ASSERT(place.state == State::computing);
        place = {State::waiting, call, place.calls + 1};
    }
    void leave(Rank rank) { places_[index(rank)].state = State::computing; }

    [[nodiscard]] bool any_finished() const {
        return std::ranges::any_of(places_,
                                   [](const Place& p) { return p.state == State::finished; });
    }

    void check_equal_calls() {
        for (const Arrival& arrival : arrivals_) {
            if (arrival.call != arrivals_.front().call) fail("the ranks make different calls");
        }
    }

    template <class Done, class Stuck>
    void wait(std::unique_lock<std::mutex>& lock, Done done, Stuck stuck) {
        const auto deadline = std::chrono::steady_clock::now() + kDeadline;
        while (!done()) {
            if (stuck()) fail("a rank waits for one that has returned");
            if (changed_.wait_until(lock, deadline) == std::cv_status::timeout && !done())
                fail(fmt::format("a rank waited for {} s", kDeadline.count()));
        }
    }

    [[noreturn]] void fail(std::string_view why) const {
        std::string text = fmt::format("thread communicator: {}\n", why);
        for (std::size_t rank = 0; rank < places_.size(); ++rank) {
            const Place& place = places_[rank];
            text += place.state == State::finished
                        ? fmt::format("  rank {}: returned after {} calls\n", rank, place.calls)
                        : fmt::format("  rank {}: {} call {}, {}\n", rank,
                                      place.state == State::waiting ? "waits in" : "computes after",
                                      place.calls, place.call);
        }
        std::fputs(text.c_str(), stderr);
        std::abort();
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<Arrival> arrivals_;
    int arrived_ = 0;
    std::uint64_t meetings_ = 0;
    std::map<std::pair<int, int>, std::deque<Bytes>> mail_;
    std::vector<Place> places_;
};

std::int64_t combined(std::int64_t a, std::int64_t b, mpi::Reduction reduction) {
    switch (reduction) {
        case mpi::Reduction::sum:
            return a + b;
        case mpi::Reduction::minimum:
            return std::min(a, b);
        case mpi::Reduction::maximum:
            return std::max(a, b);
    }
    return 0;
}

std::vector<std::int64_t> as_numbers(std::span<const std::byte> bytes) {
    std::vector<std::int64_t> numbers(bytes.size() / sizeof(std::int64_t));
    std::ranges::copy(bytes, std::as_writable_bytes(std::span(numbers)).begin());
    return numbers;
}

void reduce_all(std::vector<Arrival>& arrivals, mpi::Reduction reduction) {
    std::vector<std::int64_t> total = as_numbers(arrivals.front().bytes);
    for (std::size_t rank = 1; rank < arrivals.size(); ++rank) {
        const std::vector<std::int64_t> next = as_numbers(arrivals[rank].bytes);
        for (std::size_t i = 0; i < total.size(); ++i)
            total[i] = combined(total[i], next[i], reduction);
    }
    for (const Arrival& arrival : arrivals)
        std::ranges::copy(std::as_bytes(std::span(total)), arrival.bytes.begin());
}

/// One rank's end of a World. Thread-confined.
class ThreadCommunicator final : public mpi::Communicator {
public:
    ThreadCommunicator(std::shared_ptr<World> world, Rank rank)
        : world_(std::move(world)), rank_(rank) {
        SHEAF_ASSERT(0 <= rank.value && rank.value < world_->size());
    }

    [[nodiscard]] Rank rank() const override { return rank_; }
    [[nodiscard]] int size() const override { return world_->size(); }
    [[nodiscard]] const std::shared_ptr<World>& world() const { return world_; }

    Status all_reduce(std::span<std::int64_t> values, mpi::Reduction reduction) override {
        const std::string call =
            fmt::format("all_reduce({} values, {})", values.size(), static_cast<int>(reduction));
        world_->meet(rank_, {call, std::as_writable_bytes(values), {}},
                     [&](auto& arrivals) { reduce_all(arrivals, reduction); });
        return {};
    }

    Status broadcast(std::span<std::byte> bytes, Rank root) override {
        const std::string call =
            fmt::format("broadcast({} bytes, root {})", bytes.size(), root.value);
        world_->meet(rank_, {call, bytes, {}}, [&](auto& arrivals) {
            const Bytes value(arrivals[static_cast<std::size_t>(root.value)].bytes.begin(),
                              arrivals[static_cast<std::size_t>(root.value)].bytes.end());
            for (auto& arrival : arrivals) std::ranges::copy(value, arrival.bytes.begin());
        });
        return {};
    }

    Status all_gather(std::span<const std::byte> mine, std::span<std::byte> all) override {
        SHEAF_ASSERT(all.size() == mine.size() * static_cast<std::size_t>(size()));
        const std::string call = fmt::format("all_gather({} bytes)", mine.size());
        world_->meet(rank_, {call, all, mine}, [](auto& arrivals) {
            Bytes blocks;
            for (const auto& arrival : arrivals)
                blocks.insert(blocks.end(), arrival.mine.begin(), arrival.mine.end());
            for (auto& arrival : arrivals) std::ranges::copy(blocks, arrival.bytes.begin());
        });
        return {};
    }

    Status exchange(std::span<const mpi::Outgoing> send,
                    std::span<mpi::Incoming> receive) override {
        for (const mpi::Outgoing& message : send) world_->send(rank_, message.peer, message.bytes);
        for (mpi::Incoming& message : receive)
            message.received = world_->receive(message.peer, rank_, message.room);
        return {};
    }

private:
    std::shared_ptr<World> world_;
    Rank rank_;
};

}  // namespace

void run_ranks(int ranks, const std::function<void(mpi::Communicator&)>& body) {
    SHEAF_ASSERT(ranks > 0);
    const auto world = std::make_shared<World>(ranks);
    std::vector<std::thread> threads;
    for (int i = 0; i < ranks; ++i) {
        threads.emplace_back([&world, &body, i] {
            ThreadCommunicator communicator(world, Rank{i});
            body(communicator);
            world->finish(Rank{i});
        });
    }
    for (std::thread& thread : threads) thread.join();
    world->check_mail();
}

std::unique_ptr<mpi::Communicator> duplicate(const mpi::Communicator& communicator) {
    const auto& threads = dynamic_cast<const ThreadCommunicator&>(communicator);
    return std::make_unique<ThreadCommunicator>(threads.world(), threads.rank());
}

}  // namespace sheaf::testing
