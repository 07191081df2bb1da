#include "observe/sensor_files.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <memory>

#include "host/files.h"
#include "host/paths.h"

namespace interlock::observe {

SensorFiles::SensorFiles(std::string root, PciAddress pci)
    : root_path_(std::move(root)), path_(paths::pci_device(pci)) {}

CardSample SensorFiles::look(Instant now) {
  failed_ = false;
  if (lost_a_file()) close_all();
  CardSample sample = take_sample(*this, now);
  const auto has_error = [](const std::optional<ChannelSample>& channel) {
    return channel && (channel->label.error != 0 || channel->input.error != 0);
  };
  if (failed_ || std::ranges::any_of(sample.channels, has_error)) close_all();
  return sample;
}

bool SensorFiles::present() {
  folder_.reset();
  if (!root_) {
    auto root = RootFolder::open_root(root_path_);
    if (!root) return true;  // cannot be told; each read says why
    root_ = *std::move(root);
  }
  auto folder = root_->open(path_, O_PATH | O_DIRECTORY);
  if (!folder) {
    close_all();
    return !is_missing(folder.error());
  }
  folder_ = *std::move(folder);
  struct stat status{};
  if (::fstat(folder_.get(), &status) != 0) return true;
  const std::pair identity(status.st_dev, status.st_ino);
  if (identity_ && *identity_ != identity) close_all();
  identity_ = identity;
  return true;
}

std::string SensorFiles::driver() {
  std::array<char, PATH_MAX> target;
  const ssize_t length = ::readlinkat(folder_.get(), "driver", target.data(), target.size());
  if (length < 0) return {};
  const std::string_view whole(target.data(), static_cast<std::size_t>(length));
  return std::string(whole.substr(whole.rfind('/') + 1));
}

FileRead SensorFiles::read(const std::string& file, std::size_t most) {
  const auto fd = descriptor(file);
  if (!fd) return {.error = fd.error().code, .text = {}};
  FileRead read;
  read.text.resize(most);
  ssize_t got = 0;
  do {
    got = ::pread(*fd, read.text.data(), most, 0);
  } while (got < 0 && errno == EINTR);
  if (got < 0) {
    read.error = errno;
    failed_ = true;
  }
  read.text.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  return read;
}

Result<std::vector<std::string>> SensorFiles::label_files() {
  if (labels_) return *labels_;
  if (!root_) return fail_errno(EIO, "cannot open the root folder");
  labels_ = TRY(find_label_files(
      [this](const std::string& folder) { return files::list_folder(*root_, path_ + "/" + folder); }));
  return *labels_;
}

Result<int> SensorFiles::descriptor(const std::string& file) {
  const auto known = std::ranges::find(open_, file, &OpenFile::name);
  if (known != open_.end()) return known->fd.get();
  if (!root_) return fail_errno(EIO, "cannot open the root folder");
  const std::string path = path_ + "/" + file;
  Fd fd = TRY(root_->open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY));
  struct stat status{};
  if (::fstat(fd.get(), &status) != 0) return fail_errno(errno, path);
  if (!S_ISREG(status.st_mode)) return fail_errno(EINVAL, path);
  open_.push_back({file, std::move(fd)});
  return open_.back().fd.get();
}

bool SensorFiles::lost_a_file() const {
  return std::ranges::any_of(open_, [](const OpenFile& file) {
    struct stat status{};
    return ::fstat(file.fd.get(), &status) != 0 || status.st_nlink == 0;
  });
}

void SensorFiles::close_all() {
  open_.clear();
  labels_.reset();
}

}  // namespace interlock::observe
