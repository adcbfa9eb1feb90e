"""Hello, world: a quadruped drops onto the ground, held by its motors; the ground carries it."""
import espalier

world = espalier.World()
world.add_ground()
robot = world.add_articulated_system("models/strider/strider.urdf")
robot.q = [0, 0, 0.7, 1, 0, 0, 0] + 2 * [0, 0.6, -1.2] + 2 * [0, -0.6, 1.2]
robot.set_pd_gains(300, 10)
robot.set_pd_target(robot.q)
world.step(3000)
force = sum(contact.impulse[2] for contact in world.contacts) / world.time_step
print(f"base height   {robot.base_position[2]:.4f} m")
print(f"ground force  {force:.2f} N, weight {robot.total_mass * 9.81:.2f} N")
