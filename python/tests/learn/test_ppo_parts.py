"""Advantages, Adam, scaling of observations and densities against their definitions, in double."""
import numpy as np
import pytest

from espalier.learn.adam import Adam, clip_norm
from espalier.learn.advantage import estimate_advantages
from espalier.learn.gaussian import divergence, log_density
from espalier.learn.network import orthogonal
from espalier.learn.normalizer import BOUND, Normalizer
from espalier.learn.workers import Workers, chunks_of


def test_advantages_are_the_weighted_sum_of_residuals_until_the_episode_ends():
    rng = np.random.default_rng(0)
    steps, n, gamma, lam = 12, 5, 0.97, 0.9
    rewards = rng.standard_normal((steps, n), dtype=np.float32)
    values = rng.standard_normal((steps + 1, n), dtype=np.float32)
    ended = rng.random((steps, n)) < 0.2
    advantages = np.zeros((steps, n), np.float32)
    estimate_advantages(rewards, values, ended, gamma, lam, advantages)
    for i in range(n):
        for t in range(steps):
            total, weight = 0.0, 1.0
            for s in range(t, steps):
                following = 0.0 if ended[s, i] else values[s + 1, i]
                total += weight * (rewards[s, i] + gamma * following - values[s, i])
                weight *= gamma * lam
                if ended[s, i]:
                    break
            assert advantages[t, i] == pytest.approx(total, abs=1e-5)


def test_values_of_the_last_state_are_required():
    with pytest.raises(ValueError, match=r"\(4, 2\)"):
        estimate_advantages(np.zeros((3, 2), np.float32), np.zeros((3, 2), np.float32),
                            np.zeros((3, 2), bool), 0.9, 0.9, np.zeros((3, 2), np.float32))


def test_adam_is_that_of_the_paper():
    rng = np.random.default_rng(1)
    parameters = rng.standard_normal(6).astype(np.float32)
    expected, first, second = parameters.astype(float), 0.0, 0.0
    adam = Adam(6)
    for t in range(1, 20):
        gradient = rng.standard_normal(6).astype(np.float32)
        rate = 0.1 / t
        first = 0.9 * first + 0.1 * gradient.astype(float)
        second = 0.999 * second + 0.001 * gradient.astype(float)**2
        expected -= rate * (first / (1 - 0.9**t)) / (np.sqrt(second / (1 - 0.999**t)) + 1e-8)
        adam.step(parameters, gradient, rate)
    assert np.allclose(parameters, expected, atol=1e-5)


def test_gradients_are_scaled_to_the_bound_alone_where_they_exceed_it():
    gradient = np.array([3, 4], np.float32)
    assert clip_norm(gradient, 10) == 5 and gradient.tolist() == [3, 4]
    assert clip_norm(gradient, 1) == 5 and np.allclose(gradient, [0.6, 0.8])


def test_observations_are_scaled_by_the_moments_of_all_that_were_seen():
    rng = np.random.default_rng(2)
    parts = [rng.normal([5, -300, 0], [0.1, 40, 1], (n, 3)).astype(np.float32) for n in (7, 1, 90)]
    normalizer = Normalizer(3)
    for part in parts:
        normalizer.update(part)
    scaled = np.zeros((90, 3), np.float32)
    normalizer.apply(parts[2], scaled)
    assert np.allclose(scaled, np.clip(parts[2], -BOUND, BOUND), rtol=1e-3)  # until refresh()
    normalizer.refresh()
    everything = np.concatenate(parts).astype(float)
    assert np.allclose(normalizer.mean, everything.mean(axis=0))
    normalizer.apply(parts[2], scaled)
    expected = (parts[2] - everything.mean(axis=0)) / np.sqrt(everything.var(axis=0) + 1e-4)
    assert np.allclose(scaled, expected, atol=1e-3)
    with pytest.raises(ValueError, match=r"observations \[1\] are not finite"):
        normalizer.update(np.array([[0, np.nan, 0]], np.float32))


def test_densities_integrate_to_one_and_their_divergence_is_the_integral():
    log_std, old_log_std = np.float32([-0.3]), np.float32([0.2])
    mean, old_mean = 0.4, -0.1
    x = np.linspace(-12, 12, 40001)
    dx = x[1] - x[0]

    def density_of(mean, log_std):
        out = np.zeros(len(x), np.float32)
        log_density(((x - mean) / np.exp(log_std)).astype(np.float32)[:, None], log_std, out)
        return out.astype(float)

    new, old = density_of(mean, log_std), density_of(old_mean, old_log_std)
    assert np.exp(new).sum() * dx == pytest.approx(1, abs=1e-5)
    expected = np.sum(np.exp(old) * (old - new)) * dx
    rows = 3
    kl = divergence(np.full((rows, 1), old_mean, np.float32), old_log_std,
                    np.full((rows, 1), mean, np.float32), log_std, np.zeros((rows, 1), np.float32))
    assert kl == pytest.approx(rows * expected, rel=1e-4)


@pytest.mark.parametrize("shape", [(3, 8), (8, 3), (5, 5)])
def test_first_weights_are_orthonormal(shape):
    weights = orthogonal(np.random.default_rng(4), *shape)
    assert weights.shape == shape
    product = weights @ weights.T if shape[0] <= shape[1] else weights.T @ weights
    assert np.allclose(product, np.eye(min(shape)), atol=1e-5)


@pytest.mark.parametrize("threads", [1, 3])
def test_workers_do_each_chunk_once_and_pass_errors_on(threads, monkeypatch):
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "1")
    workers = Workers(threads)
    chunks = chunks_of(100, 30)
    assert [chunk.rows for chunk in chunks] == [slice(0, 30), slice(30, 60), slice(60, 90),
                                                slice(90, 100)]
    done = []
    workers.run(lambda thread, chunk: done.append((chunk.place, thread < threads)), chunks)
    assert sorted(done) == [(k, True) for k in range(4)]

    def fail(thread, chunk):
        if chunk.place == 2:
            raise RuntimeError("chunk 2")

    with pytest.raises(RuntimeError, match="chunk 2"):
        workers.run(fail, chunks)
    with pytest.raises(ValueError, match="0 threads"):
        Workers(0)
