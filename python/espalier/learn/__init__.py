"""Learning on batches: tasks, and a PPO that needs numpy alone."""
