// SPDX-License-Identifier: BSD-3-Clause

/// Component fcoll/template: copy this file to start a collective algorithm.
///
/// It compiles and passes tests/conformance/fcoll; it is built into the test programs only. Change,
/// in this order, and run the conformance tests after each step:
///   1. the names: the file, kTemplate, "template", the summary; put `kYours` into components.h and
///      components.cpp, and the file into src/CMakeLists.txt;
///   2. bid(): for which views, placements and storage your algorithm is the better one;
///   3. exchange(): which data go to which rank before anybody touches the file (here: none do);
///   4. access(): who moves which bytes to or from the file (here: each rank its own);
///   5. the constructor: what can be prepared once per view. It is local: what needs all ranks
///      happens at the first transfer().
///
/// What must stay: a rank that failed, or whose precondition failed, goes through every collective
/// step that the others go through, with no data; the last step of all is an agreement.

#include <utility>

#include "base/assert.h"
#include "contracts/fcoll.h"
#include "coord/agreement.h"
#include "transfer/independent.h"

namespace sheaf::fcoll {

namespace {

class Template final : public CollectiveAccess {
public:
    /// Step 5. Both references outlive this object.
    Template(const FileContext& file, const view::FileView& view) : file_(file), view_(view) {}

    fbtl::Transferred transfer(const AccessRequest& request) override {
        Status mine = request.precondition;
        // Nothing returns from here to the agreement: failures are kept in `mine`.
        mine.update(exchange());
        fbtl::Transferred moved;
        if (mine.ok()) moved = access(request);
        mine.update(std::move(moved.status));
        SHEAF_ASSERT(moved.bytes.value >= 0);
        return {moved.bytes, coord::agree(file_.communicator, std::move(mine))};
    }

private:
    /// Step 3. Talk through file_.communicator: exchange() for messages, all_gather() for what all
    /// ranks must know of each other's parts.
    [[nodiscard]] Status exchange() const { return {}; }

    /// Step 4. For bytes of one's own in one's own view, this is all there is to do; an aggregator
    /// calls file_.transfer with pieces of a buffer.
    [[nodiscard]] fbtl::Transferred access(const AccessRequest& request) const {
        return transfer::independent(file_, view_, request);
    }

    const FileContext& file_;
    const view::FileView& view_;
};

/// Step 2. `summary` is what is known of the views of all ranks; facts of the storage are in
/// `candidate.file`. Between 0 and 100, with a reason that a user understands.
Bid bid(const Candidate& candidate) {
    return {1, candidate.summary.contiguous ? "contiguous views" : "noncontiguous views"};
}

std::unique_ptr<CollectiveAccess> make(const FileContext& file, const view::FileView& view) {
    return std::make_unique<Template>(file, view);
}

}  // namespace

// Step 1. In a component that is built in, the declaration stands in components.h.
extern const Component kTemplate;
const Component kTemplate{"template", "to be copied", bid, make};

}  // namespace sheaf::fcoll
