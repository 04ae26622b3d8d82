// SPDX-License-Identifier: BSD-3-Clause
#include "script.h"

#include <functional>
#include <map>
#include <sstream>

#include "lexer.h"
#include "type_expression.h"

namespace iotest {
namespace {

const char* const kActions =
    "an action: write [at N] \"bytes\" [mem TYPE], read [at N] COUNT gives \"bytes\" [mem TYPE], "
    "seek set|cur|end N, position N, byte_offset N gives M, nothing; each may end with "
    "error MPI_ERR_...";

class Reader {
public:
    explicit Reader(int rank) : rank_{rank} {}

    Script read(const std::string& text) {
        std::istringstream lines{text};
        int number = 0;
        for (std::string source; std::getline(lines, source);) {
            Line line{++number, source, rank_, script_.ranks};
            if (line.at_end()) continue;
            statement(line);
            if (!line.at_end()) line.fail("the end of the line");
        }
        return script_;
    }

private:
    using Form = std::function<void(Reader&, Line&, Statement&)>;
    struct Entry {
        StatementKind kind;
        Form form;
    };

    static const std::map<std::string, Entry>& forms() {
        const auto plain = [](Reader&, Line& line, Statement& s) { s.error = error_class(line); };
        const auto number = [](Reader&, Line& line, Statement& s) {
            s.number = line.expression();
            s.error = error_class(line);
        };
        const auto actions = [](Reader& reader, Line& line, Statement& s) {
            reader.clauses(line, [&](bool own) {
                const Action action = reader.action(line);
                if (own) s.action = action;
            });
        };
        static const std::map<std::string, Entry> table{
            {"open",
             {StatementKind::open, [](Reader& r, Line& line, Statement& s) { r.open(line, s); }}},
            {"close", {StatementKind::close, plain}},
            {"view",
             {StatementKind::view, [](Reader& r, Line& line, Statement& s) { r.view(line, s); }}},
            {"all", {StatementKind::all, actions}},
            {"each", {StatementKind::each, actions}},
            {"resize", {StatementKind::resize, number}},
            {"preallocate", {StatementKind::preallocate, number}},
            {"size", {StatementKind::size, number}},
            {"sync", {StatementKind::sync, plain}},
            {"delete", {StatementKind::remove, plain}},
            {"expect", {StatementKind::expect, expect}},
            {"trace", {StatementKind::trace, trace}}};
        return table;
    }

    void statement(Line& line) {
        const std::string name = line.word("a statement");
        if (name == "ranks") {
            script_.ranks = static_cast<int>(line.expression());
            return;
        }
        if (name == "file") {
            script_.file = line.text();
            return;
        }
        const auto entry = forms().find(name);
        if (entry == forms().end()) throw Mistake{line.number(), unknown(name)};
        Statement statement{.kind = entry->second.kind, .line = line.number()};
        entry->second.form(*this, line, statement);
        script_.statements.push_back(statement);
    }

    static std::string unknown(const std::string& name) {
        std::string text = "no statement is called " + name + ", accepted are ranks, file";
        for (const auto& [known, entry] : forms()) text += ", " + known;
        return text;
    }

    static std::string error_class(Line& line) {
        return line.accept("error") ? line.word("an error class, as MPI_ERR_AMODE") : "";
    }

    void open(Line& line, Statement& statement) {
        do statement.modes.push_back(line.word("a mode, as RDWR or CREATE"));
        while (line.accept("|"));
        statement.error = error_class(line);
        script_.opens = true;
    }

    void view(Line& line, Statement& statement) {
        statement.view = model::byte_view(0);
        clauses(line, [&](bool own) {
            model::View view = model::byte_view(0);
            if (line.accept("disp")) view.displacement = line.expression();
            if (line.accept("etype")) view.etype = type_expression(line, view.etype);
            view.filetype = view.etype;
            if (line.accept("filetype")) view.filetype = type_expression(line, view.etype);
            if (own) statement.view = view;
        });
        statement.error = error_class(line);
    }

    /// `rank 0: ...  rank 1: ...`; `rank r:` speaks of every rank.
    template <class Body>
    void clauses(Line& line, Body body) {
        do {
            line.expect("rank");
            bool own = true;
            if (!line.accept("r")) {
                const auto rank = static_cast<int>(line.expression());
                if (rank >= script_.ranks) line.fail("a rank below the number of ranks");
                own = rank == rank_;
                line.set_rank(rank);
            }
            line.expect(":");
            body(own);
            line.set_rank(rank_);
        } while (line.peek().text == "rank");
    }

    Action action(Line& line) {
        const std::string name = line.word(kActions);
        Action action;
        if (name == "write" || name == "read") {
            access(line, action, name == "write");
        } else if (name == "seek") {
            action.kind = ActionKind::seek;
            action.whence = line.word("set, cur or end");
            action.number = line.expression();
        } else if (name == "position") {
            action.kind = ActionKind::position;
            action.number = line.expression();
        } else if (name == "byte_offset") {
            action.kind = ActionKind::byte_offset;
            action.at = line.expression();
            line.expect("gives");
            action.number = line.expression();
        } else if (name != "nothing") {
            throw Mistake{line.number(), "found '" + name + "', accepted is " + kActions};
        }
        action.error = error_class(line);
        return action;
    }

    static void access(Line& line, Action& action, bool writes) {
        action.kind = writes ? ActionKind::write : ActionKind::read;
        if (line.accept("at")) action.at = line.expression();
        if (writes) {
            action.bytes = line.text();
        } else {
            action.count = line.expression();
            if (line.accept("gives")) action.bytes = line.text();
        }
        const model::TypePtr byte = model::make_named(model::Basic::byte);
        action.memory = line.accept("mem") ? type_expression(line, byte) : byte;
        const auto bytes = writes ? static_cast<std::int64_t>(action.bytes.size()) : action.count;
        if (bytes != 0 && (action.memory->size == 0 || bytes % action.memory->size != 0))
            line.fail("a memory type whose size divides the number of bytes");
    }

    static void expect(Reader&, Line& line, Statement& statement) {
        if (line.accept("absent")) {
            statement.kind = StatementKind::expect_absent;
        } else {
            statement.bytes = line.text();
        }
    }

    static void trace(Reader&, Line& line, Statement&) {
        const std::string form = "trace events, as: trace fcoll.round 1, fbtl.write 2";
        do {
            line.word(form);
            line.expect(".");
            line.word(form);
            line.expression();
        } while (line.accept(","));
    }

    int rank_;
    Script script_;
};

}  // namespace

Script read_script(const std::string& text, int rank) {
    return Reader{rank}.read(text);
}

}  // namespace iotest
