"""Probes for attention that trains badly, to copy into another program. They need NumPy alone.

python3 lessons/case/diagnosis/probes.py   shows each probe on a right and on a wrong example.
"""

import json
import math

import numpy as np


# listing: three-numbers
def three_numbers(q, k, visible):
    """Entropy, deviation of the scores and Jacobian norm of one head.

    q, k: (T, d); visible: (T, T), True where a query may look. Hidden scores are left out."""
    scores = q @ k.T / math.sqrt(q.shape[1])
    entropies, norms = [], []
    for row, seen in zip(scores, visible):
        p = np.exp(row[seen] - row[seen].max())
        p /= p.sum()
        if len(p) > 1:  # ln 1 = 0: a row with one key has no entropy
            entropies.append(-(p * np.log(np.maximum(p, 1e-300))).sum() / math.log(len(p)))
        squares = (p**2).sum()
        norms.append(math.sqrt(max(0.0, squares - 2 * (p**3).sum() + squares**2)))
    return np.mean(entropies), scores[visible].std(), np.mean(norms)
# end


# listing: leak
def leak(model, x, at):
    """The largest change before position `at` when the input changes there. It has to be 0."""
    changed = x.copy()
    changed[at] += 1.0
    return np.abs(model(changed) - model(x))[:at].max()
# end


# listing: two-paths
def two_paths(model, x):
    """The largest difference between all positions at once and one prefix after the other."""
    at_once = model(x)
    one_by_one = np.array([model(x[: n + 1])[-1] for n in range(len(x))])
    return np.abs(at_once - one_by_one).max()
# end


# listing: first-nan
def first_bad(q, k, visible):
    """The first step that spoils a row, in the order of the computation; None if none does."""
    scores = q @ k.T / math.sqrt(q.shape[1])
    if not np.isfinite(scores).all():
        return "scores: q or k is too large already"
    if not visible.any(axis=1).all():
        return "mask: a row sees no position"
    masked = np.where(visible, scores, -np.inf)
    weights = np.exp(masked - masked.max(axis=1, keepdims=True))
    weights /= weights.sum(axis=1, keepdims=True)
    if not np.allclose(weights.sum(axis=1), 1, atol=1e-5):
        return "softmax: a row does not sum to 1"
    return None
# end


def attention(x, mask_value=-np.inf):
    """Causal self-attention without projections; another value than −∞ is a mistake."""
    visible = np.tri(len(x), dtype=bool)
    scores = np.where(visible, x @ x.T / math.sqrt(x.shape[1]), mask_value)
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True) @ x


def hides_with_zero(x):
    return attention(x, mask_value=0.0)


if __name__ == "__main__":
    causal = np.tri(3, dtype=bool)
    flat, x = np.zeros((3, 4)), np.eye(3, 4)
    blind = causal.copy()
    blind[1] = False
    with np.errstate(invalid="ignore"):  # ∞ − ∞ is one of the examples
        bad = [
            first_bad(x, x, causal),
            first_bad(x * np.inf, x, causal),
            first_bad(x, x, blind),
        ]
    result = {
        "flat": list(three_numbers(flat, flat, causal)),
        "sharp": list(three_numbers(100 * x, 100 * x, causal)),
        "leak": [leak(attention, x, 2), leak(hides_with_zero, x, 2)],
        "two_paths": [two_paths(attention, x), two_paths(hides_with_zero, x)],
        "first_bad": bad,
    }
    print(json.dumps(result, default=float))
