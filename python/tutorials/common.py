"""Functions that the tutorials share: `--quick`, `--plot FILE`, and tables."""

import argparse
from pathlib import Path
from typing import Any, Optional, Sequence

EXPERIMENTS = Path(__file__).resolve().parents[2] / "experiments"
FLOOR = {"name": "floor", "static": True, "shape": {"type": "halfspace", "normal": [0, 0, 1], "offset": 0}}


def arguments(description: Optional[str]) -> argparse.Namespace:
    """Reads the options: `.quick`: fewer runs, within seconds; `.plot`: the file of a picture, or None."""
    parser = argparse.ArgumentParser(description=(description or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="fewer runs, within seconds")
    parser.add_argument("--plot", metavar="FILE", help="also draws a picture (needs matplotlib)")
    return parser.parse_args()


def table(header: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Prints rows under a header; numbers with five digits."""
    cells = [[f"{cell:.5g}" if isinstance(cell, float) else str(cell) for cell in row] for row in [header, *rows]]
    widths = [max(map(len, column)) for column in zip(*cells)]
    for row in cells:
        print("  ".join(cell.rjust(width) for cell, width in zip(row, widths)))


def picture(file: Optional[str], curves: Sequence["tuple[str, Any, Any]"], x: str, y: str, **axes: Any) -> None:
    """Draws curves (label, x, y) to `file`, unless it is None."""
    if file is None:
        return
    try:
        import matplotlib
    except ImportError:
        raise SystemExit("--plot needs matplotlib (Debian: python3-matplotlib)") from None
    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, plane = pyplot.subplots(figsize=(7, 4.2), layout="constrained")
    for label, across, up in curves:
        plane.plot(across, up, ".-", label=label, linewidth=1.2, markersize=3)
    plane.set(xlabel=x, ylabel=y, **axes)
    plane.grid(alpha=0.3)
    plane.legend()
    figure.savefig(file, dpi=120)
    print(f"picture: {file}")
