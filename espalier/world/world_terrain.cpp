// Adding the ground and height maps.

#include "espalier/io/mesh/heightmap_file.h"
#include "espalier/world/added.h"
#include "espalier/world/world.h"
#include "espalier/world/world_data.h"

namespace espalier {

Ground* World::addGround(double height, const std::string& material, CollisionGroup mask) {
  BodySpec spec;
  spec.name = "ground";
  spec.type = BodyType::STATIC;
  spec.collisions = {shapeSpec(Plane{}, material, 1, mask)};
  spec.X_WB.p.z = height;
  return asKind<Ground>(addBody(spec));
}

HeightMap* World::addHeightMap(HeightfieldData data, double centreX, double centreY,
                               const std::string& material, CollisionGroup group,
                               CollisionGroup mask) {
  BodySpec spec;
  spec.name = "heightmap_" + std::to_string(data_->objects.size());
  spec.type = BodyType::STATIC;
  spec.collisions = {
      shapeSpec(Heightfield{std::make_shared<const HeightfieldData>(std::move(data))}, material,
                group, mask)};
  spec.X_WB.p = {centreX, centreY, 0};
  return asKind<HeightMap>(addBody(spec));
}
HeightMap* World::addHeightMap(int xSamples, int ySamples, double xSize, double ySize,
                               double centreX, double centreY, const std::vector<double>& heights,
                               const std::string& material, CollisionGroup group,
                               CollisionGroup mask) {
  return addHeightMap(HeightfieldData{xSamples, ySamples, xSize, ySize, heights}, centreX, centreY,
                      material, group, mask);
}
HeightMap* World::addHeightMap(double centreX, double centreY, const TerrainProperties& terrain,
                               const std::string& material, CollisionGroup group,
                               CollisionGroup mask) {
  return addHeightMap(makeTerrain(terrain, centreX, centreY), centreX, centreY, material, group,
                      mask);
}
HeightMap* World::addHeightMap(const std::string& textFile, double centreX, double centreY,
                               const std::string& material, CollisionGroup group,
                               CollisionGroup mask) {
  return addHeightMap(
      valueOrThrow(io::readHeightmapText(textFile), "the height map cannot be read"), centreX,
      centreY, material, group, mask);
}
HeightMap* World::addHeightMap(const std::string& pngFile, double centreX, double centreY,
                               double xSize, double ySize, double heightScale, double heightOffset,
                               const std::string& material, CollisionGroup group,
                               CollisionGroup mask) {
  return addHeightMap(
      valueOrThrow(io::readHeightmapPng(pngFile, xSize, ySize, heightScale, heightOffset),
                   "the height map cannot be read"),
      centreX, centreY, material, group, mask);
}
HeightMap* World::addHeightMap(const HeightMap* original, CollisionGroup group,
                               CollisionGroup mask) {
  ESPALIER_REQUIRE(original != nullptr, "a height map to copy is needed");
  BodySpec spec;
  spec.name = "heightmap_" + std::to_string(data_->objects.size());
  spec.type = BodyType::STATIC;
  spec.collisions = {shapeSpec(original->shape(), original->getMaterial(), group, mask)};
  spec.X_WB.R = Mat<3, 3>(original->getRotationMatrix());
  spec.X_WB.p = Vec<3>(original->getPosition());
  return asKind<HeightMap>(addBody(spec));
}

}  // namespace espalier
