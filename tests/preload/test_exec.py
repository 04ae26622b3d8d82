# SPDX-License-Identifier: BSD-3-Clause
"""`sheaf exec` and the other verbs, with programs that need no MPI."""

import os
import shutil
import signal
import subprocess
import sys

import pytest
from conftest import Installation, run

ODD_ARGUMENTS = ["", " ", "two words", "a\nb", "--", "--require", "-x", "*", "$HOME", "\\", "é",
                 "'\""]


@pytest.fixture(name="sheaf")
def fixture_sheaf(installation):
    return installation.sheaf


def written(path, text, mode=0o755):
    path.write_text(text)
    path.chmod(mode)
    return path


@pytest.mark.parametrize("options", [[], ["--"], ["--require"], ["--require", "--"]])
def test_the_argument_vector_arrives_verbatim(sheaf, options):
    program = "import sys; print(ascii(sys.argv[1:]))"
    done = run([sheaf, "exec", *options, sys.executable, "-c", program, *ODD_ARGUMENTS])
    assert (done.returncode, done.stdout.strip()) == (0, ascii(ODD_ARGUMENTS)), done.stderr


@pytest.mark.parametrize("status", [0, 1, 42, 255])
def test_the_exit_status_is_the_programs(sheaf, status):
    assert run([sheaf, "exec", "sh", "-c", f"exit {status}"]).returncode == status


def test_a_signal_reaches_the_program_itself(sheaf):
    """No process stays between: the one that was started is the program."""
    program = "import os, time; print(os.getpid(), flush=True); time.sleep(60)"
    with subprocess.Popen([sheaf, "exec", sys.executable, "-c", program],
                          stdout=subprocess.PIPE, text=True) as process:
        assert int(process.stdout.readline()) == process.pid
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=10) == -signal.SIGTERM


def test_standard_input_passes_through(sheaf):
    sent = b"bytes\0\xff"
    done = subprocess.run([sheaf, "exec", "cat"], input=sent, capture_output=True, check=True)
    assert done.stdout == sent


def test_a_command_that_does_not_exist(sheaf):
    done = run([sheaf, "exec", "no-such-command-anywhere"])
    assert done.returncode == 127
    assert done.stderr == "sheaf: cannot run no-such-command-anywhere: No such file or directory\n"


def test_a_command_that_cannot_be_run(sheaf, tmp_path):
    done = run([sheaf, "exec", written(tmp_path / "plain", "text", mode=0o644)])
    assert done.returncode == 126
    assert "Permission denied" in done.stderr


@pytest.mark.parametrize("arguments", [[], ["--"], ["--no-such-option", "true"]])
def test_wrong_usage(sheaf, arguments):
    done = run([sheaf, "exec", *arguments])
    assert done.returncode == 125
    assert done.stderr.startswith("sheaf: exec ") and "usage: sheaf exec" in done.stderr


def preload_seen(sheaf, before):
    done = run([sheaf, "exec", "sh", "-c", 'printf %s "$LD_PRELOAD"'], {"LD_PRELOAD": before})
    assert done.returncode == 0
    return done.stdout


def test_it_comes_behind_what_is_preloaded_already(installation, tmp_path):
    ours = str(installation.preload)
    other = tmp_path / "other.so"
    shutil.copy(ours, other)
    assert preload_seen(installation.sheaf, None) == ours
    assert preload_seen(installation.sheaf, "") == ours
    assert preload_seen(installation.sheaf, other) == f"{other}:{ours}"
    assert preload_seen(installation.sheaf, f"{ours}:{other}") == f"{ours}:{other}"


@pytest.mark.parametrize("name", ["a b", "a:b", "a\tb"])
def test_a_prefix_that_ld_preload_would_split_is_refused(tmp_path, name):
    done = run([Installation(tmp_path / name).sheaf, "exec", "true"])
    assert done.returncode == 125
    assert "a blank or a colon in a path separates entries of LD_PRELOAD" in done.stderr


def test_it_is_found_through_a_link(installation, tmp_path):
    link = tmp_path / "elsewhere"
    link.symlink_to(installation.sheaf)
    assert preload_seen(link, None) == str(installation.preload)


def test_a_missing_preload_is_an_error(installation):
    installation.preload.unlink()
    done = run([installation.sheaf, "exec", "true"])
    assert done.returncode == 125
    assert str(installation.preload) in done.stderr


@pytest.fixture(name="static_program", scope="module")
def fixture_static_program(tmp_path_factory):
    folder = tmp_path_factory.mktemp("static")
    source = written(folder / "main.c", "int main(void) { return 0; }\n")
    program = folder / "static"
    subprocess.run(["gcc", "-static", "-o", program, source], check=True)
    return program


def test_require_refuses_a_static_program(sheaf, static_program):
    assert run([sheaf, "exec", static_program]).returncode == 0
    done = run([sheaf, "exec", "--require", static_program])
    assert done.returncode == 86
    assert done.stderr == (f"sheaf: required, but {static_program} is statically linked: "
                           "nothing can be preloaded into it\n")


def test_require_finds_the_program_along_path(sheaf, static_program):
    path = f"{static_program.parent}:{os.environ['PATH']}"
    assert run([sheaf, "exec", "--require", "static"], {"PATH": path}).returncode == 86


def test_require_accepts_scripts_and_refuses_other_files(sheaf, tmp_path):
    script = written(tmp_path / "script", "#!/bin/sh\nexit 5\n")
    assert run([sheaf, "exec", "--require", script]).returncode == 5
    for text in ("no first line of a script\n", ""):
        done = run([sheaf, "exec", "--require", written(tmp_path / "other", text)])
        assert done.returncode == 86
        assert "is neither a program nor a script" in done.stderr


def test_require_leaves_a_missing_command_to_exec(sheaf):
    assert run([sheaf, "exec", "--require", "no-such-command-anywhere"]).returncode == 127


def test_an_unknown_verb_names_those_there_are(sheaf):
    done = run([sheaf, "exce", "true"])
    assert done.returncode == 125
    assert done.stderr.startswith("sheaf: no verb exce; there are exec info doctor ")


def test_help_and_version(sheaf):
    assert run([sheaf, "--version"]).stdout.startswith("sheaf ")
    for arguments in (["help"], ["--help"]):
        done = run([sheaf, *arguments])
        assert done.returncode == 0 and "sheaf exec ./app" in done.stdout
    assert run([sheaf]).returncode == 125


def test_python_verbs_find_their_package(installation, tmp_path):
    package = installation.prefix / "share" / "sheaf" / "python" / "sheaf_tools"
    package.mkdir(parents=True)
    (package / "__main__.py").write_text("import sys; print(sys.argv[1:])\n")
    done = run([installation.sheaf, "bench", "tile_io", "--ranks", "4"])
    assert done.stdout.strip() == "['bench', 'tile_io', '--ranks', '4']", done.stderr


def test_info_tells_the_file_system(sheaf, tmp_path):
    done = run([sheaf, "info", tmp_path / "not_there_yet"])
    assert done.returncode == 0 and "storage " in done.stdout and "fcoll" in done.stdout


def test_doctor_sees_the_mpi_libraries(installation):
    done = run([installation.sheaf, "doctor"])
    assert "doctor: OK" in done.stdout and done.returncode == 0, done.stdout
    assert "MPI_File calls reach Sheaf" in done.stdout


def test_doctor_sees_a_missing_backend(installation):
    for backend in (installation.prefix / "lib").glob("libsheaf-*.so"):
        backend.unlink()
    done = run([installation.sheaf, "doctor"])
    assert done.returncode == 1
    assert "missing" in done.stdout and "doctor: see above" in done.stdout
