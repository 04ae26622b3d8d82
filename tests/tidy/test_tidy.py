# SPDX-License-Identifier: BSD-3-Clause
"""The scanners of tidy find what they are for, and nothing else."""

import layers
import limits
import ratchet
import symbols
import venvs
import words
from source import Finding, Tree, scrub, strings

venvs.add_tools_to_path()


def found(check, texts):
    return [(finding.path, finding.line) for finding in check(Tree(texts))]


def test_scrub_keeps_lines_and_columns():
    text = 'int a; // catch (\nauto s = "catch (\\" x"; /* getenv(\n */ int b = 1\'000;\n'
    clean = scrub(text)
    assert "catch" not in clean and "getenv" not in clean
    assert len(clean) == len(text) and clean.count("\n") == text.count("\n")
    assert "int b = 1'000;" in clean


def test_scrub_raw_strings():
    assert "catch" not in scrub('auto s = R"x(catch ( " )x"; int c;')
    assert "int c;" in scrub('auto s = R"x(catch ( " )x"; int c;')


def test_strings_outside_comments():
    assert list(strings('// "a"\nf("b");')) == [(2, "b")]


def test_function_limits():
    long = "int f() {\n" + "    g();\n" * 69 + "}\n"
    assert found(limits.functions, {"src/base/a.cpp": long}) == [("src/base/a.cpp", 1)]
    assert found(limits.functions, {"src/base/a.cpp": long.replace("    g();\n", "", 1)}) == []
    assert found(limits.functions, {"src/base/a.h": "void f(int a, int b, int c, int d, int e, "
                                                    "int g, int h) {}\n"}) == [("src/base/a.h", 1)]
    branches = "void f(int a) {\n" + "    if (a) g();\n" * 15 + "}\n"
    assert found(limits.functions, {"tools/a.cpp": branches}) == [("tools/a.cpp", 1)]


def test_file_limits():
    assert found(limits.files, {"src/base/a.cpp": "x\n" * 801}) == [("src/base/a.cpp", 0)]
    assert found(limits.files, {"src/base/a.cpp": "x\n" + "y" * 101}) == [("src/base/a.cpp", 2)]
    assert found(limits.files, {"src/base/a.cpp": "y" * 100}) == []


def test_asserts_per_folder():
    bare = "int a;\n" * 200
    assert found(limits.asserts, {"src/base/a.cpp": bare}) == [("src/base", 0)]
    assert found(limits.asserts, {"src/base/a.cpp": bare + "    SHEAF_ASSERT(x);\n" * 3}) == []
    assert found(limits.asserts, {"src/base/a.cpp": bare + "// SHEAF_ASSERT(x)\n" * 3}) != []


def test_contract_limits():
    many = "/// One.\n" * 20 + "class Fs {\n    virtual ~Fs();\n" + "    virtual int f() = 0;\n" * 9
    assert found(limits.contracts, {"src/contracts/fs.h": many + "};\n"}) == [
        ("src/contracts/fs.h", 0)]
    fewer = many.replace("    virtual int f() = 0;\n", "", 1) + "};\n"
    assert found(limits.contracts, {"src/contracts/fs.h": fewer}) == []
    bare = "struct A { int x; };\n" * 10 + "/// Two.\n"
    assert len(found(limits.contracts, {"src/contracts/fbtl.h": bare})) == 1


def test_banned_words():
    code = "void f() { try { g(); } catch (...) {} }\n"
    assert found(words.banned, {"src/base/guard.h": code}) == []
    assert found(words.banned, {"src/abi/x.cpp": code}) == [("src/abi/x.cpp", 1)]
    assert found(words.banned, {"src/file/x.cpp": "\nauto e = errno;\n"}) == [("src/file/x.cpp", 2)]
    assert found(words.banned, {"src/platform/x.cpp": "auto e = errno; getenv(x);"}) == []
    assert found(words.banned, {"src/file/x.cpp": "Status from_errno(int set_errno);"}) == []


def test_one_place_words():
    one = {"src/abi/x.cpp": "MPI_Abort(c, 1);", "src/base/a.cpp": 'fprintf(stderr, "");'}
    assert found(words.one_place, one) == []
    assert len(found(words.one_place, one | {"src/abi/y.cpp": "MPI_Abort(c, 2);"})) == 1
    assert len(found(words.one_place, one | {"src/file/y.cpp": 'printf("");'})) == 1
    assert found(words.one_place, one | {"src/file/y.cpp": 'snprintf(b, 1, "");'}) == []


def test_conditionals():
    guard = "#ifndef A_H\n#define A_H\nint a;\n#endif\n"
    assert found(words.conditionals, {"src/base/a.h": guard}) == []
    assert found(words.conditionals, {"src/base/a.h": guard + "#if X\n#endif\n"}) == [
        ("src/base/a.h", 5)]
    assert found(words.conditionals, {"src/platform/a.h": "#if X\n#endif\n"}) == []


def test_spdx():
    assert found(words.spdx, {"a.py": "#!/x\n# SPDX-License-Identifier: BSD-3-Clause\n"}) == []
    assert found(words.spdx, {"a.py": "import os\n"}) == [("a.py", 1)]


def test_copies():
    text = "".join(f"line {i};\n\n" for i in range(30))
    assert found(words.copies, {"src/a.cpp": text, "src/b.cpp": "x\n" + text}) == [("src/b.cpp", 2)]
    assert found(words.copies, {"src/a.cpp": text, "src/b.cpp": text[12:]}) == []


def wrong(path, target):
    return [finding.text for finding in layers.layers(Tree({path: f'#include "{target}"\n'}))]


def test_layers_from_left_to_right():
    assert wrong("src/view/a.cpp", "base/status.h") == []
    assert wrong("src/view/a.cpp", "view/layout.h") == []
    assert "stand left" in wrong("src/view/a.cpp", "coord/agree.h")[0]
    assert "stand left" in wrong("src/trace/a.cpp", "hints/table.h")[0]
    assert "no place" in wrong("src/view/a.cpp", "util/x.h")[0]
    assert "path from src" in wrong("src/view/a.cpp", "layout.h")[0]
    assert wrong("src/view/a.cpp", "sheaf/sheaf.h") == []


LIST = """namespace fcoll { extern const Component kTwoPhase, kAgents; }
namespace fs { extern const Component kPosix; }"""


def wrong_in_frameworks(path, target):
    texts = {path: f'#include "{target}"\n', layers.COMPONENT_HEADER: LIST}
    return " ".join(finding.text for finding in layers.layers(Tree(texts)))


def test_components_are_read_from_the_list():
    assert layers.components(Tree({layers.COMPONENT_HEADER: LIST})) == {
        ("fcoll", "two_phase"), ("fcoll", "agents"), ("fs", "posix")}


def test_components_are_leaves():
    mine = "src/frameworks/fcoll/two_phase_rounds.cpp"
    for target in ("frameworks/fcoll/two_phase.h", "frameworks/fcoll/plan.h", "contracts/fcoll.h",
                   "frameworks/components.h", "transfer/sieve.h"):
        assert wrong_in_frameworks(mine, target) == "", target
    assert "includes component" in wrong_in_frameworks(mine, "frameworks/fcoll/agents.h")
    assert "includes component" in wrong_in_frameworks(mine, "frameworks/fs/posix.h")
    assert "left of them" in wrong_in_frameworks(mine, "frameworks/selector.h")
    block = "src/frameworks/fcoll/plan.cpp"
    assert wrong_in_frameworks(block, "frameworks/fcoll/coverage.h") == ""
    assert "includes component" in wrong_in_frameworks(block, "frameworks/fcoll/two_phase.h")


def test_components_are_known_to_the_list_alone():
    assert "only src/frameworks" in wrong_in_frameworks("src/file/a.cpp", "frameworks/fs/posix.h")
    assert "inside fcoll" in wrong_in_frameworks("src/file/a.cpp", "frameworks/fcoll/plan.h")
    assert wrong_in_frameworks("src/frameworks/components.cpp", "frameworks/fs/posix.h") == ""
    assert wrong_in_frameworks("src/file/a.cpp", "frameworks/selector.h") == ""


def test_preload_stands_alone():
    assert wrong("src/preload/a.c", "preload.h") == wrong("src/preload/a.c", "preload/x.h") == []
    assert wrong("src/preload/a.c", "abi/functions.def") == []
    assert "alone" in wrong("src/preload/a.c", "base/status.h")[0]
    assert "alone" in wrong("src/abi/a.cpp", "preload/x.h")[0]


def test_mpi_header():
    for path, count in (("src/mpi/host.h", 0), ("src/mpi/ompi/names.h", 0),
                        ("src/view/decode_host.cpp", 0), ("src/abi/x.cpp", 0),
                        ("src/coord/a.cpp", 1), ("src/preload/a.c", 1)):
        assert len(found(layers.mpi_header, {path: "#include <mpi.h>\n"})) == count, path
    assert found(layers.mpi_header, {"src/coord/a.cpp": "// #include <mpi.h>\n"}) == []


def test_mpi_file_names():
    assert found(layers.mpi_file_names, {"src/file/a.cpp": "int MPI_ERR_IO;"}) != []
    assert found(layers.mpi_file_names, {"src/abi/a.cpp": "MPI_File_open(x); MPI_ERR_IO"}) == []
    assert found(layers.mpi_file_names, {"src/file/a.cpp": "// as MPI_File_open\n"}) == []


def test_component_names():
    texts = {layers.COMPONENT_HEADER: LIST, "src/frameworks/components.cpp": '"two_phase"',
             "src/frameworks/fcoll/two_phase.cpp": 'name = "two_phase";',
             "src/file/a.cpp": 'f("two_phase");'}
    assert found(layers.component_names, texts) == [("src/file/a.cpp", 1)]


def test_symbols():
    assert list(symbols.compare("libsheaf", ["a", "b"], ["a", "b"])) == []
    assert len(list(symbols.compare("libsheaf", ["a", "b"], ["b", "c"]))) == 2
    assert len(list(symbols.compare("libsheaf", None, ["b"]))) == 1


def test_the_ratchet_only_shrinks():
    worse, same = Finding("p", 1, "t", "k", 90), Finding("p", 1, "t", "k", 80)
    assert ratchet.judge([worse], {"k": 80})[0] == [worse]
    assert ratchet.judge([same], {"k": 80}) == ([], {})
    failing, slack = ratchet.judge([same], {"k": 85, "gone": 3})
    assert failing == [] and ratchet.lowered({"k": 85, "gone": 3}, slack) == {"k": 80}
    assert ratchet.judge([Finding("p", 1, "new")], {})[0] != []
