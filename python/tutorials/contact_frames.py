"""Contact normals through vertices, edges and faces (`abut experiment contact-frames`).

A box moves around another box, so that vertices, edges and faces meet. The exact normal jumps where these features
change. On the central path it is continuous: between samples that are four times as dense it changes a quarter as
much.
"""

import numpy as np
from common import arguments, table

import abut
from abut import shapes

WAY = np.array([
    [0, 0, 0.65, 1, 0, 0, 0],
    [0, 0, 0.8, 1, 0, 0, 0],
    [0, 0, 0.924264, 0.92388, 0, 0.382683, 0],
    [0.1, 0.1, 1.01961524, 0.88807383, 0.32505758, -0.32505758, 0],
    [0.5, 0.1, 1.01961524, 0.88807383, 0.32505758, -0.32505758, 0],
    [0.8, 0, 0.8, 1, 0, 0, 0],
    [0.8, 0.8, 0.8, 1, 0, 0, 0],
    [0.98, 0.85, 0.85, 0.93969262, 0.24184476, 0.24184476, 0],
])  # fmt: skip


def poses(samples: int) -> "np.ndarray[tuple[int, int], np.dtype[np.float64]]":
    """(n, 7): straight from way point to way point, `samples` a leg."""
    share = np.arange(samples * (len(WAY) - 1)) / samples
    leg = share.astype(int)
    out = WAY[leg] + (share - leg)[:, None] * (WAY[leg + 1] - WAY[leg])
    out[:, 3:] /= np.linalg.norm(out[:, 3:], axis=1, keepdims=True)
    return out


def main() -> None:
    options = arguments(__doc__)
    pair = abut.Collision(shapes.box([0.5, 0.5, 0.5]), shapes.box([0.3, 0.3, 0.3]))
    still = np.array([0, 0, 0, 1, 0, 0, 0.0])
    rows = []
    for samples in (40, 160, 640) if options.quick else (40, 160, 640, 2560):
        moving = poses(samples)
        row = [samples]  # type: list[object]
        for kappa in (0.0, 1e-2):
            normals = pair.solve_all(np.tile(still, (len(moving), 1)), moving, kappa)["normal"]
            turns = np.arccos(np.clip(np.einsum("ij,ij->i", normals[1:], normals[:-1]), -1, 1))
            row.append(float(turns.max()))
        rows.append(row)
    print("largest turn of the normal between neighbouring samples, rad")
    table(["samples a leg", "exact", "kappa 1e-2"], rows)
    smooth = [float(str(row[2])) for row in rows]
    assert float(str(rows[-1][1])) > 0.3, "the exact normal jumps"
    assert smooth[-1] < smooth[0] / 5, "that of the path is continuous"


if __name__ == "__main__":
    main()
