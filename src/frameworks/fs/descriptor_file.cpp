// SPDX-License-Identifier: BSD-3-Clause
#include "frameworks/fs/descriptor_file.h"

#include <string>
#include <utility>

#include "base/assert.h"

namespace sheaf::fs {

namespace {

class DescriptorFile final : public OpenFile {
public:
    DescriptorFile(platform::Descriptor descriptor, Facts facts, bool writable)
        : descriptor_(std::move(descriptor)), facts_(std::move(facts)), writable_(writable) {
        SHEAF_ASSERT(descriptor_.valid());
    }

    Result<ByteCount> size() override { return platform::size_of(descriptor_.get()); }
    Status resize(ByteCount size) override {
        SHEAF_CHECK(check_writable("truncate"));
        return platform::resize(descriptor_.get(), size);
    }
    Status preallocate(ByteCount size) override {
        SHEAF_CHECK(check_writable("allocate"));
        return platform::allocate(descriptor_.get(), size);
    }
    Status sync() override { return platform::synchronise(descriptor_.get()); }
    Status close() override { return platform::close_descriptor(std::move(descriptor_)); }
    [[nodiscard]] const Facts& facts() const override { return facts_; }
    [[nodiscard]] int descriptor() const override { return descriptor_.get(); }

private:
    /// The kernel's word for it, EINVAL or EBADF, would not tell what is wrong.
    [[nodiscard]] Status check_writable(const char* call) const {
        if (writable_) return {};
        return {Code::read_only, std::string(call) + ": the file is open for reading only"};
    }

    platform::Descriptor descriptor_;
    Facts facts_;
    bool writable_;
};

}  // namespace

std::unique_ptr<OpenFile> make_descriptor_file(platform::Descriptor descriptor, Facts facts,
                                               bool writable) {
    return std::make_unique<DescriptorFile>(std::move(descriptor), std::move(facts), writable);
}

}  // namespace sheaf::fs
