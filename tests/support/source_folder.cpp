#include "tests/support/source_folder.h"

namespace espalier {

std::string sourceFolder() { return ESPALIER_SOURCE_DIR; }

}  // namespace espalier
