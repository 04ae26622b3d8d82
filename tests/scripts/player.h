// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <string>

#include "script.h"

namespace iotest {

/// Plays one script on the ranks of a communicator with plain MPI calls.
class Player {
public:
    Player(MPI_Comm comm, std::string path);

    /// Collective. Stops at the first line at which some rank finds a fault, agreed by all ranks,
    /// and returns this rank's fault, "LINE: what", if any.
    std::string play(const Script& script);

private:
    void prepare(const Script& script);
    void finish();
    void perform(const Statement& statement);
    void remove(const std::string& error);
    void expect_size(const Statement& statement);
    void open(const Statement& statement);
    void set_view(const Statement& statement);
    void act(const Action& action, bool collective);
    void transfer(const Action& action, bool collective);
    void seek(const Action& action);
    void expect_bytes(const Statement& statement);
    void check(const char* call, int code, const std::string& error_class);
    void fail(const std::string& what);
    bool agree();

    MPI_Comm comm_;
    std::string path_;
    int rank_ = 0;
    MPI_File file_ = MPI_FILE_NULL;
    std::string fault_;
};

}  // namespace iotest
