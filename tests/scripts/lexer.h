// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace iotest {

/// A mistake in a script: says where and what would have been accepted.
class Mistake : public std::runtime_error {
public:
    Mistake(int line, const std::string& what)
        : std::runtime_error{std::to_string(line) + ": " + what} {}
};

enum class TokenKind { word, number, text, sign, end };

struct Token {
    TokenKind kind;
    std::string text;  ///< Of a quoted text: its bytes, escapes replaced.
    std::int64_t number = 0;
};

/// The tokens of one line, read from left to right. `#` begins a comment.
class Line {
public:
    /// `rank` and `ranks` are the values of `r` and `n` in expressions.
    Line(int number, const std::string& text, int rank, int ranks);

    [[nodiscard]] int number() const { return number_; }
    [[nodiscard]] const Token& peek() const { return tokens_[next_]; }
    [[nodiscard]] bool at_end() const { return peek().kind == TokenKind::end; }
    Token take();

    /// Takes the next token if it is this word or sign.
    bool accept(const std::string& text);
    /// As accept(), and a Mistake if it is not.
    void expect(const std::string& text);
    /// A word; a Mistake that says `what` was wanted otherwise.
    std::string word(const std::string& what);
    /// A quoted text, perhaps `* times`.
    std::string text();
    /// A sum of products of numbers, `r`, `n` and parentheses.
    std::int64_t expression();
    /// `[a, b, ...]`
    std::vector<std::int64_t> list();

    /// What `r` means from here on.
    void set_rank(int rank) { rank_ = rank; }
    [[noreturn]] void fail(const std::string& wanted) const;

private:
    std::int64_t product();
    std::int64_t factor();

    int number_;
    int rank_;
    int ranks_;
    std::size_t next_ = 0;
    std::vector<Token> tokens_;
};

}  // namespace iotest
