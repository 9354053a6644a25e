"""Compares attention.py with PyTorch's MultiheadAttention, and prints the record as JSON.

python3 lessons/case/implementation/agreement.py > lessons/case/agreement.json
Without PyTorch the record has no comparison; without NumPy the program stops with a sentence.
"""

import json
import platform
from pathlib import Path

from attention import causal_mask, multi_head_attention, np

SEED = 20261014
HERE = "lessons/case/implementation"


def with_torch(q, k, v, mask, heads):
    """The output of torch.nn.MultiheadAttention whose projections change nothing."""
    import torch

    width = q.shape[1]
    layer = torch.nn.MultiheadAttention(width, heads, bias=False, dtype=torch.float64)
    with torch.no_grad():
        layer.in_proj_weight.copy_(torch.eye(width, dtype=torch.float64).repeat(3, 1))
        layer.out_proj.weight.copy_(torch.eye(width, dtype=torch.float64))
        # Its axes are (T, batch, width), and True in its mask hides a pair.
        inputs = [torch.from_numpy(x[:, None, :].copy()) for x in (q, k, v)]
        output, _ = layer(*inputs, attn_mask=torch.from_numpy(mask != 0), need_weights=True)
    return torch.__version__, output[:, 0, :].numpy()


def example(n, heads, width):
    q, k, v = np.random.default_rng(SEED).standard_normal((3, n, heads * width))
    return q, k, v, causal_mask(n), heads


def against_torch():
    n, heads, width = 256, 4, 32
    inputs = example(n, heads, width)
    try:
        version, expected = with_torch(*inputs)
    except ModuleNotFoundError:
        return None
    ours, _ = multi_head_attention(*inputs)
    return {
        "version": version,
        "n": n,
        "heads": heads,
        "width": width,
        "largestDifference": float(np.abs(ours - expected).max()),
    }


if __name__ == "__main__":
    q, k, v, mask, heads = example(6, 2, 4)
    output, weights = multi_head_attention(q, k, v, mask, heads)
    record = {
        "command": f"python3 {HERE}/{Path(__file__).name}",
        "seed": SEED,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "heads": heads,
        "q": q.tolist(),
        "k": k.tolist(),
        "v": v.tolist(),
        "weights": weights.tolist(),
        "output": output.tolist(),
        "torch": against_torch(),
    }
    print(json.dumps(record))
