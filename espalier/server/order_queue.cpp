#include "espalier/server/order_queue.h"

#include <utility>

namespace espalier {
namespace {

/// Whether the later one makes the earlier one needless.
bool replaces(const Order& later, const Order& earlier) {
  if (later.from != earlier.from) return false;
  const auto* now = std::get_if<Command>(&later.what);
  const auto* before = std::get_if<Command>(&earlier.what);
  if (!now || !before) return false;
  if (std::holds_alternative<DragCommand>(*now))
    return std::holds_alternative<DragCommand>(*before);
  const auto* joint = std::get_if<JointCommand>(now);
  const auto* other = std::get_if<JointCommand>(before);
  return joint && other && joint->body == other->body;
}

}  // namespace

bool OrderQueue::push(Order order) {
  {
    const std::lock_guard lock(mutex_);
    if (!orders_.empty() && replaces(order, orders_.back())) {
      orders_.back() = std::move(order);
    } else {
      if (std::holds_alternative<Command>(order.what) && orders_.size() >= most_commands)
        return false;
      orders_.push_back(std::move(order));
    }
    hasOrders_.store(true, std::memory_order_release);
  }
  changed_.notify_one();
  return true;
}

void OrderQueue::take(std::vector<Order>& orders) {
  orders.clear();
  const std::lock_guard lock(mutex_);
  std::swap(orders, orders_);
  hasOrders_.store(false, std::memory_order_release);
}

void OrderQueue::waitUntil(std::chrono::steady_clock::time_point end) {
  std::unique_lock lock(mutex_);
  changed_.wait_until(lock, end, [this] { return isWoken_ || !orders_.empty(); });
  isWoken_ = false;
}

void OrderQueue::wake() {
  {
    const std::lock_guard lock(mutex_);
    isWoken_ = true;
  }
  changed_.notify_one();
}

}  // namespace espalier
