"""Attention in NumPy: four functions that give the digits of the course's C++ core.

Run it: python3 attention.py
It needs NumPy, and nothing else.
"""

import sys

try:
    import numpy as np
except ModuleNotFoundError:
    sys.exit("This file needs NumPy: apt install python3-numpy, or pip install numpy.")


# listing: softmax
def softmax(scores):
    """Row-wise softmax; -inf hides an entry, which gets exactly 0."""
    # Subtracting the maximum leaves the result unchanged and keeps exp in range.
    shifted = scores - scores.max(axis=-1, keepdims=True)
    parts = np.exp(shifted)
    return parts / parts.sum(axis=-1, keepdims=True)
# end


# listing: attention
def attention(q, k, v, mask):
    """q (…, T_q, d_k), k (…, T_k, d_k), v (…, T_k, d_v), mask (T_q, T_k).

    Returns the output (…, T_q, d_v) and the weights (…, T_q, T_k).
    """
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(k.shape[-1])
    weights = softmax(scores + mask)
    return weights @ v, weights
# end


# listing: causal-mask
def causal_mask(t):
    """(t, t): 0 on and below the diagonal, -inf above it."""
    return np.where(np.tri(t, dtype=bool), 0.0, -np.inf)
# end


# listing: heads
def multi_head_attention(q, k, v, mask, heads):
    """q, k, v (T, heads * d): head h has the columns h * d to (h + 1) * d."""
    def split(x):
        t, width = x.shape
        # First (T, heads, d), then the heads to the front: (heads, T, d).
        return x.reshape(t, heads, width // heads).transpose(1, 0, 2)

    output, weights = attention(split(q), split(k), split(v), mask)
    joined = output.transpose(1, 0, 2).reshape(len(q), -1)
    return joined, weights
# end


if __name__ == "__main__":
    np.set_printoptions(precision=3, suppress=True)
    q, k, v = np.random.default_rng(1).standard_normal((3, 4, 6))
    output, weights = multi_head_attention(q, k, v, causal_mask(4), heads=2)
    print("weights of head 0, one row a query; each sums to 1:")
    print(weights[0])
    print("outputs of both heads, side by side:")
    print(output)
