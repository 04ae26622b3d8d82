// SPDX-License-Identifier: BSD-3-Clause

/// Component fcoll/individual: each rank moves its own data. No exchange; one agreement at the end.

#include <utility>

#include "base/assert.h"
#include "coord/agreement.h"
#include "frameworks/components.h"
#include "frameworks/fcoll/piece_rule.h"
#include "transfer/independent.h"

namespace sheaf::fcoll {

namespace {

class Individual final : public CollectiveAccess {
public:
    Individual(const FileContext& file, const view::FileView& view) : file_(file), view_(view) {}

    fbtl::Transferred transfer(const AccessRequest& request) override {
        fbtl::Transferred moved = transfer::independent(file_, view_, request);
        SHEAF_ASSERT(moved.bytes.value >= 0);
        moved.status = coord::agree(file_.communicator, std::move(moved.status));
        return moved;
    }

private:
    const FileContext& file_;
    const view::FileView& view_;
};

Bid bid(const Candidate& candidate) {
    if (candidate.file.communicator.size() == 1)
        return {100, "one rank has nobody to exchange with"};
    return direct_access_bid(candidate);
}

std::unique_ptr<CollectiveAccess> make(const FileContext& file, const view::FileView& view) {
    return std::make_unique<Individual>(file, view);
}

}  // namespace

const Component kIndividual{"individual", "each rank moves its own data", bid, make};

}  // namespace sheaf::fcoll
