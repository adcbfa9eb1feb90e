#include "espalier/server/hub.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "espalier/server/page_route.h"

namespace espalier {
namespace {

/// Messages that wait to be handed on; more are only there while the machine is overloaded.
constexpr std::size_t most_mail = 10000;
constexpr std::size_t flags_at = 16;  ///< bytes from a frame's begin

}  // namespace

struct Hub::Data {
  struct Letter {
    std::optional<Topic> topic;  ///< none: counts once
    SharedText text;
  };

  // Handed over by the stepping thread.
  std::mutex mailMutex;
  std::condition_variable hasMail;
  std::vector<Letter> mail;
  Frame frame;
  bool hasFrame = false, isStopped = false;

  // Already sent to clients.
  mutable std::mutex clientsMutex;
  std::vector<ClientPtr> clients;
  std::array<SharedText, topic_count> kept;
  SharedBytes lastFrame;

  // Of the scene and of the one before it, whose meshes a client may still be asking for.
  mutable std::mutex meshMutex;
  std::unordered_map<std::string, std::shared_ptr<const MeshBlob>> meshes, olderMeshes;
};

Hub::Hub(HttpServerOptions options, Handlers handlers)
    : handlers_(std::move(handlers)), http_(std::move(options)), data_(std::make_unique<Data>()) {
  http_.route("GET", "/", pageRoute("live", http_.token()));
  http_.route("GET", "/mesh/", [this](const HttpRequest& request) {
    return mesh(request.path.substr(std::string_view("/mesh/").size()));
  });
  http_.webSocket("/ws", {.onOpen = [this](const ClientPtr& client) { join(client); },
                          .onText = handlers_.onText,
                          .onClose = [this](const ClientPtr& client) { leave(client); },
                          .mostBytes = std::size_t{1} << 16});
  const nlohmann::json hello = {{"type", "hello"}, {"protocol", 1}, {"espalier", ESPALIER_VERSION}};
  data_->kept[static_cast<int>(Topic::HELLO)] = std::make_shared<const std::string>(hello.dump());
}

Hub::~Hub() { stop(); }

void Hub::start() {
  http_.start();
  if (!thread_.joinable()) thread_ = std::thread([this] { publish(); });
}

void Hub::stop() {
  http_.stop();
  {
    const std::lock_guard lock(data_->mailMutex);
    data_->isStopped = true;
  }
  data_->hasMail.notify_one();
  if (thread_.joinable()) thread_.join();
}

void Hub::setScene(const SceneDescription& scene) {
  {
    const std::lock_guard lock(data_->meshMutex);
    data_->olderMeshes = std::exchange(data_->meshes, {});
    for (const auto& mesh : scene.meshes) data_->meshes[mesh->hash] = mesh;
  }
  setText(Topic::SCENE, scene.json);
}

void Hub::setText(Topic topic, std::string json) {
  auto text = std::make_shared<const std::string>(std::move(json));
  {
    const std::lock_guard lock(data_->mailMutex);
    data_->mail.push_back({topic, std::move(text)});
  }
  data_->hasMail.notify_one();
}

void Hub::sendText(std::string json) {
  if (spectators_ == 0) return;
  auto text = std::make_shared<const std::string>(std::move(json));
  {
    const std::lock_guard lock(data_->mailMutex);
    if (data_->mail.size() >= most_mail) return;
    data_->mail.push_back({std::nullopt, std::move(text)});
  }
  data_->hasMail.notify_one();
}

void Hub::sendFrame(Frame& frame) {
  {
    const std::lock_guard lock(data_->mailMutex);
    if (data_->hasFrame) frame.flags |= data_->frame.flags;
    std::swap(data_->frame, frame);
    data_->hasFrame = true;
  }
  data_->hasMail.notify_one();
}

void Hub::publish() {
  Data& data = *data_;
  std::vector<Data::Letter> mail;
  Frame frame;
  while (true) {
    bool hasFrame = false;
    {
      std::unique_lock lock(data.mailMutex);
      data.hasMail.wait(lock,
                        [&] { return data.isStopped || data.hasFrame || !data.mail.empty(); });
      if (data.isStopped) return;
      mail.clear();
      std::swap(mail, data.mail);
      hasFrame = std::exchange(data.hasFrame, false);
      if (hasFrame) std::swap(frame, data.frame);
    }
    SharedBytes bytes;
    if (hasFrame) {
      auto encoded = std::make_shared<std::vector<std::byte>>();
      encodeFrame(frame, *encoded);
      bytes = std::move(encoded);
    }
    const std::lock_guard lock(data.clientsMutex);
    for (const Data::Letter& letter : mail) {
      if (letter.topic) data.kept[static_cast<int>(*letter.topic)] = letter.text;
      for (const ClientPtr& client : data.clients) client->sendText(letter.text);
    }
    if (!bytes) continue;
    data.lastFrame = bytes;
    for (const ClientPtr& client : data.clients) client->sendLatest(bytes, withFlagsOf);
  }
}

void Hub::join(const ClientPtr& client) {
  {
    const std::lock_guard lock(data_->clientsMutex);
    for (const SharedText& text : data_->kept)
      if (text) client->sendText(text);
    if (data_->lastFrame) client->sendLatest(data_->lastFrame);
    data_->clients.push_back(client);
    ++spectators_;
  }
  if (handlers_.onJoin) handlers_.onJoin(client);
}

void Hub::leave(const ClientPtr& client) {
  {
    const std::lock_guard lock(data_->clientsMutex);
    if (std::erase(data_->clients, client) > 0) --spectators_;
  }
  if (handlers_.onLeave) handlers_.onLeave(client);
}

HttpResponse Hub::mesh(const std::string& hash) const {
  const std::lock_guard lock(data_->meshMutex);
  for (const auto* meshes : {&data_->meshes, &data_->olderMeshes}) {
    const auto at = meshes->find(hash);
    if (at == meshes->end()) continue;
    HttpResponse response;
    response.type = "application/octet-stream";
    response.headers = {{"Cache-Control", "private, max-age=31536000, immutable"}};
    response.body = at->second->bytes;
    response.owner = at->second;
    return response;
  }
  return HttpResponse::text(404, "text/plain", "there is no such mesh in the scene\n");
}

SharedBytes withFlagsOf(const SharedBytes& earlier, const SharedBytes& frame) {
  std::uint32_t before = 0, now = 0;
  std::memcpy(&before, earlier->data() + flags_at, sizeof(before));
  std::memcpy(&now, frame->data() + flags_at, sizeof(now));
  if ((before & ~now) == 0) return frame;
  now |= before;
  auto merged = std::make_shared<std::vector<std::byte>>(*frame);
  std::memcpy(merged->data() + flags_at, &now, sizeof(now));
  return merged;
}

}  // namespace espalier
