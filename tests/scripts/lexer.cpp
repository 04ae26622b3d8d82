// SPDX-License-Identifier: BSD-3-Clause
#include "lexer.h"

#include <cctype>
#include <cstddef>

namespace iotest {
namespace {

bool is_letter(char c) {
    return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
}
bool is_digit(char c) {
    return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

/// The bytes of a quoted text whose opening quote stands at `at`; moves `at` behind the closing
/// one.
std::string quoted(int line, const std::string& source, std::size_t& at) {
    std::string bytes;
    for (++at; at < source.size() && source[at] != '"'; ++at) {
        if (source[at] != '\\') {
            bytes.push_back(source[at]);
            continue;
        }
        ++at;
        if (at == source.size() || (source[at] != '0' && source[at] != '"' && source[at] != '\\'))
            throw Mistake{line, "after a backslash, 0, \" or another backslash is accepted"};
        bytes.push_back(source[at] == '0' ? '\0' : source[at]);
    }
    if (at == source.size()) throw Mistake{line, "a text must end with \" on the same line"};
    ++at;
    return bytes;
}

std::vector<Token> split(int line, const std::string& source) {
    std::vector<Token> tokens;
    std::size_t at = 0;
    while (at < source.size() && source[at] != '#') {
        const std::size_t begin = at;
        const char first = source[at];
        if (std::isspace(static_cast<unsigned char>(first)) != 0) {
            ++at;
        } else if (first == '"') {
            tokens.push_back({TokenKind::text, quoted(line, source, at)});
        } else if (is_digit(first)) {
            while (at < source.size() && is_digit(source[at])) ++at;
            const std::string digits = source.substr(begin, at - begin);
            tokens.push_back({TokenKind::number, digits, std::stoll(digits)});
        } else if (is_letter(first)) {
            while (at < source.size() && (is_letter(source[at]) || is_digit(source[at]))) ++at;
            tokens.push_back({TokenKind::word, source.substr(begin, at - begin)});
        } else {
            tokens.push_back({TokenKind::sign, std::string(1, first)});
            ++at;
        }
    }
    tokens.push_back({TokenKind::end, "the end of the line"});
    return tokens;
}

}  // namespace

Line::Line(int number, const std::string& text, int rank, int ranks)
    : number_{number}, rank_{rank}, ranks_{ranks}, tokens_{split(number, text)} {}

Token Line::take() {
    Token token = tokens_[next_];
    if (token.kind != TokenKind::end) ++next_;
    return token;
}

bool Line::accept(const std::string& text) {
    const bool is_word = peek().kind == TokenKind::word || peek().kind == TokenKind::sign;
    if (!is_word || peek().text != text) return false;
    ++next_;
    return true;
}

void Line::expect(const std::string& text) {
    if (!accept(text)) fail("'" + text + "'");
}

std::string Line::word(const std::string& what) {
    if (peek().kind != TokenKind::word) fail(what);
    return take().text;
}

std::string Line::text() {
    if (peek().kind != TokenKind::text) fail("a text in quotes");
    const std::string once = take().text;
    if (!accept("*")) return once;
    std::string result;
    for (std::int64_t i = expression(); i > 0; --i) result += once;
    return result;
}

std::int64_t Line::expression() {
    std::int64_t value = accept("-") ? -product() : product();
    while (true) {
        if (accept("+")) {
            value += product();
        } else if (accept("-")) {
            value -= product();
        } else {
            return value;
        }
    }
}

std::int64_t Line::product() {
    std::int64_t value = factor();
    while (accept("*")) value *= factor();
    return value;
}

std::int64_t Line::factor() {
    if (accept("r")) return rank_;
    if (accept("n")) return ranks_;
    if (accept("(")) {
        const std::int64_t value = expression();
        expect(")");
        return value;
    }
    if (peek().kind != TokenKind::number) fail("a number, r (this rank), n (all ranks) or '('");
    return take().number;
}

std::vector<std::int64_t> Line::list() {
    std::vector<std::int64_t> values;
    expect("[");
    if (accept("]")) return values;
    do values.push_back(expression());
    while (accept(","));
    expect("]");
    return values;
}

void Line::fail(const std::string& wanted) const {
    throw Mistake{number_, "found '" + peek().text + "', accepted is " + wanted};
}

}  // namespace iotest
