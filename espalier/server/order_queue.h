#pragma once

// Queue of pages' commands to the stepping thread.

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <variant>
#include <vector>

#include "espalier/server/command.h"
#include "espalier/server/hub.h"

namespace espalier {

/// A client has come, or gone: bodies that it pulled are released.
struct Joined {};
struct Left {};

struct Order {
  ClientPtr from;
  std::variant<Command, Joined, Left> what;
};

class OrderQueue {
 public:
  static constexpr std::size_t most_commands = 1024;

  /// Of a drag and a joint's value only the last of a client counts.
  ///   returns  false where the queue is full of commands; Joined and Left always have room
  bool push(Order order);
  /// All of them, in order.
  ///   out  orders  overwritten
  void take(std::vector<Order>& orders);
  bool isEmpty() const { return !hasOrders_.load(std::memory_order_acquire); }
  /// Until there is an order or the time has come.
  void waitUntil(std::chrono::steady_clock::time_point end);
  /// Ends a waitUntil() that is under way, or else the next one.
  void wake();

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Order> orders_;
  std::atomic<bool> hasOrders_ = false;
  bool isWoken_ = false;
};

}  // namespace espalier
