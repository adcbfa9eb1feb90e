"""Streams of random numbers, one a world."""
import numpy as np
import pytest

from espalier.learn import WorldRandom

EVERY = np.arange(1000)


def splitmix64(state, n):
    """The generator as published, in whole numbers of Python."""
    mask = 2**64 - 1
    for _ in range(n):
        state = (state + 0x9E3779B97F4A7C15) & mask
        z = state
        z = ((z ^ z >> 30) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ z >> 27) * 0x94D049BB133111EB) & mask
        yield z ^ z >> 31


def test_a_stream_is_splitmix64_from_its_key():
    random = WorldRandom(3, seed=5)
    drawn = random.uniform(np.array([1]), 0, 1, k=4)[:, 0]
    assert drawn.tolist() == [(z >> 11) * 2.0**-53 for z in splitmix64(int(random._key[1]), 4)]


def test_a_world_draws_the_same_in_any_batch():
    whole, part = WorldRandom(8, seed=1), WorldRandom(3, seed=1, first=5)
    whole.uniform(np.array([0, 2, 6]), 0, 1, k=7)  # others draw in between
    part.uniform(np.array([1]), 0, 1, k=7)
    ids = np.array([5, 6, 7])
    assert np.array_equal(whole.uniform(ids, -1, 1, k=2), part.uniform(ids - 5, -1, 1, k=2))


def test_numbers_are_uniform_and_independent():
    random = WorldRandom(1000, seed=2)
    drawn = random.uniform(EVERY, [0, -3], [1, 5], k=2)
    assert (drawn.min(axis=1) >= [0, -3]).all() and (drawn.max(axis=1) < [1, 5]).all()
    many = random.uniform(EVERY, 0, 1, k=200)
    assert np.abs(many.mean(axis=0) - 0.5).max() < 0.1  # 1 / sqrt(12 * 200) is 0.02
    assert abs(many.mean() - 0.5) < 0.005 and abs(many.var() - 1 / 12) < 0.002
    assert np.abs(np.corrcoef(many[:20])[np.triu_indices(20, 1)]).max() < 0.15
    assert np.abs(np.corrcoef(many[:, :20].T)[np.triu_indices(20, 1)]).max() < 0.35


def test_seeds_differ_and_are_checked():
    first, second = WorldRandom(1000, 0), WorldRandom(1000, 1)
    assert not np.isin(first.uniform(EVERY, 0, 1), second.uniform(EVERY, 0, 1)).any()
    with pytest.raises(ValueError, match="not negative"):
        WorldRandom(1, -1)


def test_seeding_some_leaves_the_others():
    random, twin = WorldRandom(4, 3), WorldRandom(4, 3)
    random.seed(9, np.array([1]))
    same = random.uniform(EVERY[:4], 0, 1)[0] == twin.uniform(EVERY[:4], 0, 1)[0]
    assert same.tolist() == [True, False, True, True]


def test_integers_are_all_reached():
    drawn = WorldRandom(1000, 4).integers(EVERY, 3)
    assert np.bincount(drawn).min() > 250 and drawn.max() == 2
