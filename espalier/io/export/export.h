#pragma once

// Specs to files. A file reads back as the same Spec: numbers bit for bit in the fewest
// digits that allow it, rotations bit for bit where they came from such a file and within 1e-15
// where they did not. Lines and file names are not part of it.

#include <string>

#include "espalier/core/diagnostic.h"
#include "espalier/model/spec/spec.h"

namespace espalier::io {

/// A robot as URDF, in our dialect (io/urdf/urdf.h). What a URDF has no place for (fixedBase, X_WB,
/// jointOrder, ignoredPairs) is written by exportWorldXml.
///   pre  no link has a height map; else throws std::invalid_argument
/// An effort or velocity limit of zero, which URDF takes for none, becomes 1e-300.
std::string exportUrdf(const SystemSpec& system);

/// A world as XML (io/world_xml/world_xml.h). A robot is named by its file as long as that file still gives
/// the same robot; one that came as text, from a template, or was edited, is written out.
///   in   folder   the files of robots and meshes below it or beside it are named by
///                 [THIS_DIR]/...; empty: by absolute paths
std::string exportWorldXml(const WorldSpec& world, const std::string& folder = "");

/// exportWorldXml to a file, with the file's own folder.
///   out  an Error where the file cannot be written
Diagnostics saveWorld(const WorldSpec& world, const std::string& file);

}  // namespace espalier::io
