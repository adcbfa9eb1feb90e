#pragma once

// The kind of a file, from its outermost element.

#include <string>
#include <string_view>

namespace espalier::io {

/// The name of the first element of XML text, past its declaration, comments and document type;
/// empty where there is none. The text need not be well formed behind it.
std::string rootElement(std::string_view text);

}  // namespace espalier::io
