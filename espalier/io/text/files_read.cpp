#include "espalier/io/text/files_read.h"

namespace espalier::io {
namespace {

thread_local FilesRead* innermost = nullptr;

}  // namespace

FilesRead::FilesRead() : outer_(innermost) { innermost = this; }
FilesRead::~FilesRead() { innermost = outer_; }

void FilesRead::note(const std::string& path) {
  for (FilesRead* at = innermost; at != nullptr; at = at->outer_) at->paths_.insert(path);
}

}  // namespace espalier::io
