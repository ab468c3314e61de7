#!/usr/bin/env python3
"""Draws the output of `abut bench peers --json` as two SVGs: times by scene and engine, and the dropped cube. Prints
everything as the tables of docs/peers.md.

Usage: plot_peers.py RESULT.json TIMES.svg DROP.svg

Python's standard library only.
"""
import json
import math
import sys

WIDTH = 900
# The drawn engines with the colours and dashes of their lines; the others are only in the table of docs/peers.md.
ENGINES = {
    "abut": ("#4477aa", ""),
    "mujoco": ("#ee6677", ""),
    "mujoco-hard": ("#aa3377", ""),
    "mujoco-hard-pyramid": ("#cc99bb", "2 3"),
    "ode": ("#228833", ""),
    "ode-quick": ("#ccbb44", ""),
}
BARS = ("abut", "mujoco", "mujoco-hard", "ode", "ode-quick")
CASES = {
    "cube_rest": "cube at rest",
    "capsule_rest": "capsule at rest",
    "stack_4_rest": "stack of 4 at rest",
    "stack_16_rest": "stack of 16 at rest",
    "drop_100hz": "dropped cube",
    "stack_4_kick": "stack of 4, kicked",
    "stack_16_kick": "stack of 16, kicked",
    "grid_boxes": "grid of 100 boxes",
    "pile_20": "pile of 20",
    "pile_50": "pile of 50",
    "pile_100": "pile of 100",
}


class Axis:
    """A logarithmic axis: `low` to `high` on the pixels `start` to `end`."""

    def __init__(self, low, high, start, end):
        self.low, self.high, self.start, self.end = low, high, start, end

    def __call__(self, value):
        share = math.log(value / self.low) / math.log(self.high / self.low)
        return self.start + min(1.0, max(0.0, share)) * (self.end - self.start)

    def decades(self, every=1):
        first = math.ceil(math.log10(self.low) - 1e-9)
        last = math.floor(math.log10(self.high) + 1e-9)
        return [10.0**i for i in range(first, last + 1, every)]


def text(x, y, content, anchor="start", fill="#333", extra=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{fill}"{extra}>{content}</text>'


def line(x1, y1, x2, y2, stroke="#ddd", extra=""):
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{stroke}"{extra}/>'


def write_svg(path, height, body):
    with open(path, "w", encoding="utf-8") as file:
        file.write(f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" '
                   f'viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" font-size="12">\n'
                   f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>\n' + "\n".join(body) + "\n</svg>\n")


def draw_legend(out, engines, x, y):
    """Draws the names from (x, y) to the right, as close as their lengths allow."""
    for engine in engines:
        out.append(f'<rect x="{x:.1f}" y="{y - 10}" width="12" height="12" fill="{ENGINES[engine][0]}"/>')
        out.append(text(x + 17, y, engine))
        x += 45 + 7 * len(engine)


def short_time(us):
    """Returns microseconds as text with two digits and a suitable unit."""
    value, unit = (us, "us") if us < 1000 else (us / 1000, "ms")
    return f"{value:.2f} {unit}" if value < 1 else f"{value:.1f} {unit}" if value < 10 else f"{value:.0f} {unit}"


def draw_times(result, path):
    rows = {(row["name"], row["engine"]): row for row in result["cases"]}
    engines = [e for e in BARS if any(key[1] == e for key in rows)]
    cases = [c for c in CASES if (c, "abut") in rows]
    bar, gap, top, left = 11, 12, 62, 150
    group = bar * len(engines) + gap
    bottom = top + group * len(cases)
    shown = [row for (case, engine), row in rows.items() if case in cases and engine in engines]
    highest = max(row["step_time_us_p99"] for row in shown)
    axis = Axis(0.3, 10.0 ** math.ceil(math.log10(highest)), left, WIDTH - 90)
    out = [text(left, 20, "Time of a step: bar = mean, line = up to the 99th percentile", extra=' font-size="14"')]
    draw_legend(out, engines, left, 44)
    for tick in axis.decades():
        out.append(line(axis(tick), top - 6, axis(tick), bottom))
        out.append(text(axis(tick), bottom + 16, f"{tick:g} us" if tick < 1000 else f"{tick / 1000:g} ms", "middle"))
    for i, case in enumerate(cases):
        y = top + i * group
        out.append(text(left - 10, y + 0.5 * (group - gap) + 4, CASES[case], "end"))
        for engine in engines:
            if (case, engine) not in rows:
                continue
            row, colour = rows[case, engine], ENGINES[engine][0]
            mean, p99 = row["step_time_us_mean"], row["step_time_us_p99"]
            out.append(f'<rect x="{left}" y="{y:.1f}" width="{axis(mean) - left:.1f}" height="{bar - 1}" '
                       f'fill="{colour}"/>')
            out.append(line(axis(min(mean, p99)), y + 5, axis(p99), y + 5, colour, ' stroke-width="1.5"'))
            out.append(text(axis(max(mean, p99)) + 5, y + 9, short_time(mean), extra=' font-size="10"'))
            y += bar
    out.append(text(0.5 * (left + WIDTH - 90), bottom + 36, "time of a step (logarithmic)", "middle"))
    write_svg(path, bottom + 46, out)


def draw_panel(out, searches, key, label, box, pens):
    """Draws penetration over `key`, a line for each engine, in box = (left, top, right, bottom)."""
    left, top, right, bottom = box
    values = [trial[key] for search in searches for trial in search["trials"]]
    across = Axis(10 ** math.floor(math.log10(min(values))), 10 ** math.ceil(math.log10(max(values))), left, right)
    up = Axis(pens[0], pens[1], bottom, top)
    for tick in across.decades():
        out.append(line(across(tick), top, across(tick), bottom))
        out.append(text(across(tick), bottom + 16, f"{tick:g}", "middle"))
    for tick in up.decades(2):
        out.append(line(left, up(tick), right, up(tick)))
        out.append(text(left - 6, up(tick) + 4, f"{tick:g}" if tick >= 0.01 else f"1e{math.log10(tick):.0f}", "end"))
    out.append(line(left, up(1.0), right, up(1.0), "#333", ' stroke-dasharray="5 4"'))
    out.append(text(left + 6, up(1.0) + 14, "1 mm", extra=' font-size="11"'))
    for search in searches:
        colour, dashes = ENGINES[search["engine"]]
        trials = sorted(search["trials"], key=lambda trial: trial["frequency"])
        points = [(across(t[key]), up(max(1e3 * t["max_penetration"], pens[0]))) for t in trials]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        dash = f' stroke-dasharray="{dashes}"' if dashes else ""
        out.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.8"{dash}/>')
        out += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in points]
    out.append(text(0.5 * (left + right), bottom + 36, label, "middle"))


def draw_drop(result, path):
    searches = [s for s in result["below_1_mm"] if s["engine"] in ENGINES and s["trials"]]
    if not searches:
        sys.exit("no search in the result: run `abut bench peers --json` without a NAME")
    top, bottom, middle = 62, 400, WIDTH / 2 + 15
    depths = [1e3 * trial["max_penetration"] for search in searches for trial in search["trials"]]
    low = max(1e-12, min(depth for depth in depths if depth > 0.0))
    pens = (10.0 ** math.floor(math.log10(low)), 10.0 ** math.ceil(math.log10(max(depths))))
    out = [text(62, 20, "The dropped cube: worst penetration in 20 drops, by timestep", extra=' font-size="14"')]
    draw_legend(out, [search["engine"] for search in searches], 62, 44)
    draw_panel(out, searches, "frequency", "frequency, Hz", (62, top, middle - 30, bottom), pens)
    draw_panel(out, searches, "cpu_ms_per_second", "CPU per simulated second, ms", (middle + 50, top, WIDTH - 16, bottom),
               pens)
    out.append(text(14, 0.5 * (top + bottom), "penetration, mm", "middle",
                    extra=f' transform="rotate(-90 14 {0.5 * (top + bottom)})"'))
    write_svg(path, bottom + 48, out)


def number(value, form, missing="-"):
    return missing if value is None else format(value, form)


def print_tables(result):
    print("| engine | frequency | worst penetration | CPU per simulated second |\n|---|---|---|---|")
    for search in result["below_1_mm"]:
        below = "" if search["found"] else ": never below 1 mm"
        print(f"| {search['engine']} | {search['frequency']:g} Hz | {1e3 * search['max_penetration']:.2g} mm{below} "
              f"| {search['cpu_ms_per_second']:.3g} ms |")
    print("\n| case | engine | median us | mean us | p99 us | median / MuJoCo | mean / MuJoCo | exact | failed "
          "| penetration mm | momentum kg m/s |\n" + "|---" * 11 + "|")
    for row in result["cases"]:
        exact = "-" if row["exact_share"] is None else f"{100 * row['exact_share']:.2f} %"
        print(f"| {row['name']} | {row['engine']} | {row['step_time_us_median']:.2f} | {row['step_time_us_mean']:.2f} "
              f"| {row['step_time_us_p99']:.2f} | {number(row['ratio_median'], '.3f')} "
              f"| {number(row['ratio_mean'], '.3f')} | {exact} | {row['failed_steps']} "
              f"| {1e3 * row['max_penetration']:.1e} | {row['momentum_mean']:.1e} |")


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as file:
        result = json.load(file)
    print_tables(result)
    draw_times(result, sys.argv[2])
    draw_drop(result, sys.argv[3])


main()
