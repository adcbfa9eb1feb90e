"""The backward passes against central differences of the same formulas, written anew in double."""
import numpy as np
import pytest

from espalier.learn.loss import LossScratch, LossWeights, Samples, loss_of
from espalier.learn.network import Mlp
from espalier.learn.policy import Policy

FUNCTIONS = {"tanh": np.tanh, "elu": lambda x: np.where(x > 0, x, np.expm1(np.minimum(x, 0)))}


def network_in_double(x, sizes, activation, flat):
    at = 0
    for k, (inputs, outputs) in enumerate(zip(sizes, sizes[1:])):
        weights = flat[at:at + inputs * outputs].reshape(inputs, outputs)
        at += inputs * outputs
        x = x @ weights + flat[at:at + outputs]
        at += outputs
        if k < len(sizes) - 2:
            x = FUNCTIONS[activation](x)
    return x


def differences(function, at, step=1e-5):
    slopes = np.zeros_like(at)
    for k in range(len(at)):
        ahead, behind = at.copy(), at.copy()
        ahead[k] += step
        behind[k] -= step
        slopes[k] = (function(ahead) - function(behind)) / (2 * step)
    return slopes


@pytest.mark.parametrize("activation", ["tanh", "elu"])
@pytest.mark.parametrize("sizes", [(5, 7, 6, 3), (4, 2), (3, 8, 1)])
def test_network(activation, sizes):
    rng = np.random.default_rng(3)
    flat = rng.normal(0, 0.5, Mlp.parameter_count(sizes)).astype(np.float32)
    x = rng.standard_normal((9, sizes[0]), dtype=np.float32)
    dy = rng.standard_normal((9, sizes[-1]), dtype=np.float32)
    network = Mlp(sizes, activation, flat)
    tape = network.tape(20)  # more rows than are used
    y = network.forward(x, tape)
    held = flat.astype(float)
    assert np.allclose(y, network_in_double(x, sizes, activation, held), atol=1e-5)
    gradient = np.full_like(flat, np.nan)
    network.backward(x, dy, tape, network.split(gradient))
    expected = differences(
        lambda p: np.sum(dy * network_in_double(x, sizes, activation, p)), held)
    assert np.allclose(gradient, expected, rtol=1e-4, atol=1e-4)


def loss_in_double(flat, policy, samples, old_log_std, weights):
    observations, actions, _, old, advantages, returns = samples
    actor, log_std, critic = policy.split(flat)
    mean = network_in_double(observations, policy.actor.sizes, policy.activation, actor)
    value = network_in_double(observations, policy.critic.sizes, policy.activation, critic)[:, 0]
    std = np.exp(log_std)
    log_density = np.sum(-0.5 * ((actions - mean) / std)**2 - log_std - 0.5 * np.log(2 * np.pi),
                         axis=1)
    ratio = np.exp(log_density - old)
    bounded = np.clip(ratio, 1 - weights.clip, 1 + weights.clip)
    surrogate = np.mean(np.minimum(ratio * advantages, bounded * advantages))
    entropy = np.sum(log_std + 0.5 + 0.5 * np.log(2 * np.pi))
    wrong = np.mean((value - returns)**2)
    old_std = np.exp(old_log_std)
    kl = np.sum(np.log(std / old_std) + (old_std**2 + (samples.means - mean)**2) / (2 * std**2)
                - 0.5, axis=1)
    share = np.mean(bounded != ratio)
    return -surrogate + weights.value * wrong - weights.entropy * entropy, (
        surrogate, wrong, np.mean(kl), share)


@pytest.mark.parametrize("activation", ["tanh", "elu"])
def test_loss(activation):
    rng = np.random.default_rng(5)
    policy = Policy(4, 3, (6, 5), activation)
    policy.initialize(rng, 0.7)
    policy.parameters += rng.normal(0, 0.2, len(policy.parameters)).astype(np.float32)
    rows, weights = 40, LossWeights(clip=0.2, value=0.7, entropy=0.03)
    observations = rng.standard_normal((rows, 4))
    mean = network_in_double(observations, policy.actor.sizes, activation,
                             policy.split(policy.parameters.astype(float))[0])
    old_mean = mean + rng.normal(0, 0.2, mean.shape)
    old_log_std = policy.log_std + rng.normal(0, 0.1, 3)
    noise = rng.standard_normal(mean.shape)
    actions = old_mean + np.exp(old_log_std) * noise
    old = np.sum(-0.5 * noise**2 - old_log_std - 0.5 * np.log(2 * np.pi), axis=1)
    samples = Samples(*(array.astype(np.float32) for array in (
        observations, actions, old_mean, old, rng.standard_normal(rows), rng.normal(1, 2, rows))))
    old_log_std = old_log_std.astype(np.float32)

    scratch = LossScratch(policy, 16)  # so that there are three chunks, the last one shorter
    gradient = np.zeros_like(policy.parameters)
    terms = np.zeros(4)
    for at in range(0, rows, 16):
        part = np.full_like(gradient, np.nan)
        terms += loss_of(policy, samples.rows(slice(at, min(at + 16, rows))), old_log_std, rows,
                         weights, scratch, part)
        gradient += part

    held = policy.parameters.astype(float)
    _, expected_terms = loss_in_double(held, policy, samples, old_log_std, weights)
    assert 0.2 < terms[3] < 0.8  # some ratios are clipped, others not
    assert np.allclose(terms, expected_terms, rtol=1e-4)
    expected = differences(
        lambda p: loss_in_double(p, policy, samples, old_log_std, weights)[0], held)
    assert np.abs(expected).max() > 0.1
    assert np.allclose(gradient, expected, rtol=1e-3, atol=2e-5)
