"""How the robots in models/ are made: one recipe a robot, on top of solids and a small writer."""
