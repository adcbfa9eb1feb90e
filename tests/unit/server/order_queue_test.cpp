#include "espalier/server/order_queue.h"

#include <gtest/gtest.h>

#include <thread>

namespace espalier {
namespace {

ClientPtr client() {
  return std::make_shared<WebSocketClient>(
      [](WebSocketMessage, const void*, std::size_t) { return true; }, [] {});
}

TEST(OrderQueue, KeepsOrderAndTheLastOfADrag) {
  OrderQueue queue;
  const ClientPtr a = client(), b = client();
  std::vector<Order> orders;
  EXPECT_TRUE(queue.isEmpty());
  queue.push({a, Joined{}});
  queue.push({a, Command(DragCommand{1, {}, {0, 0, 1}})});
  queue.push({a, Command(DragCommand{1, {}, {0, 0, 2}})});
  queue.push({b, Command(DragCommand{1, {}, {0, 0, 3}})});
  queue.push({b, Command(JointCommand{1, 0.1})});
  queue.push({b, Command(JointCommand{1, 0.2})});
  queue.push({b, Command(JointCommand{2, 0.3})});
  queue.push({a, Left{}});
  EXPECT_FALSE(queue.isEmpty());
  queue.take(orders);
  EXPECT_TRUE(queue.isEmpty());
  ASSERT_EQ(orders.size(), 6u);
  EXPECT_EQ(std::get<DragCommand>(std::get<Command>(orders[1].what)).target.z, 2);
  EXPECT_EQ(std::get<DragCommand>(std::get<Command>(orders[2].what)).target.z, 3);
  EXPECT_EQ(std::get<JointCommand>(std::get<Command>(orders[3].what)).value, 0.2);
  EXPECT_EQ(std::get<JointCommand>(std::get<Command>(orders[4].what)).body, 2);
  EXPECT_TRUE(std::holds_alternative<Left>(orders[5].what));
}

TEST(OrderQueue, IsBounded) {
  OrderQueue queue;
  const ClientPtr a = client();
  for (std::size_t i = 0; i < OrderQueue::most_commands; ++i)
    ASSERT_TRUE(queue.push({a, Command(StepCommand{1})}));
  EXPECT_FALSE(queue.push({a, Command(StepCommand{1})}));
  EXPECT_TRUE(queue.push({a, Left{}}));
}

TEST(OrderQueue, WaitsForAnOrderOrTheTime) {
  using Clock = std::chrono::steady_clock;
  OrderQueue queue;
  const auto begin = Clock::now();
  queue.waitUntil(begin + std::chrono::milliseconds(20));
  EXPECT_GE(Clock::now() - begin, std::chrono::milliseconds(20));
  queue.wake();
  queue.waitUntil(begin + std::chrono::seconds(60));
  std::thread other([&] { queue.push({client(), Joined{}}); });
  queue.waitUntil(begin + std::chrono::seconds(60));
  other.join();
  EXPECT_FALSE(queue.isEmpty());
  EXPECT_LT(Clock::now() - begin, std::chrono::seconds(30));
}

}  // namespace
}  // namespace espalier
