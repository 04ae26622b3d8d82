// SPDX-License-Identifier: BSD-3-Clause
#include "frameworks/fs/descriptor_file.h"

#include <utility>

#include "base/assert.h"

namespace sheaf::fs {

namespace {

class DescriptorFile final : public OpenFile {
public:
    DescriptorFile(platform::Descriptor descriptor, Facts facts)
        : descriptor_(std::move(descriptor)), facts_(std::move(facts)) {
        SHEAF_ASSERT(descriptor_.valid());
    }

    Result<ByteCount> size() override { return platform::size_of(descriptor_.get()); }
    Status resize(ByteCount size) override { return platform::resize(descriptor_.get(), size); }
    Status preallocate(ByteCount size) override {
        return platform::allocate(descriptor_.get(), size);
    }
    Status sync() override { return platform::synchronise(descriptor_.get()); }
    Status close() override { return platform::close_descriptor(std::move(descriptor_)); }
    [[nodiscard]] const Facts& facts() const override { return facts_; }
    [[nodiscard]] int descriptor() const override { return descriptor_.get(); }

private:
    platform::Descriptor descriptor_;
    Facts facts_;
};

}  // namespace

std::unique_ptr<OpenFile> make_descriptor_file(platform::Descriptor descriptor, Facts facts) {
    return std::make_unique<DescriptorFile>(std::move(descriptor), std::move(facts));
}

}  // namespace sheaf::fs
