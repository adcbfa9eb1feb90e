#include "apps/cli/temporary_folder.h"

#include <cstdlib>
#include <system_error>

#include "apps/cli/failure.h"

namespace espalier::cli {

namespace fs = std::filesystem;

TemporaryFolder::TemporaryFolder() {
  std::string name = (fs::temp_directory_path() / "espalier.XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr)
    throw Failure({Severity::Error, name, 0, "a temporary folder cannot be made",
                   "let TMPDIR name a folder that can be written"});
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code code;
  fs::remove_all(path_, code);
}

}  // namespace espalier::cli
