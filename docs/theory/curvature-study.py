#!/usr/bin/env python3
"""Which discrete curvature, and which rule at a clamp? Measured on the heavy cantilever.

A chain of N rigid links of length l = 1/N hangs from a clamp under its own weight, in the plane. Unknowns are the link
angles θ_j below the horizontal. The weight of the chain is lumped at its vertices (half a link at the tip), EI = L = 1 and
Γ is the weight of the whole. The energy is

    E = Σ_i ½ k(φ_i)² / c_i  −  Σ_j G_j sin θ_j,      φ_0 = θ_0 (clamp),  φ_i = θ_i − θ_{i−1},

with k(φ) the measure of the turning angle, c_i the length that vertex i stands for, and G_j = Γ l (N − j − ½) l the moment
arm of what hangs on link j. Newton's method solves it; its matrix is tridiagonal, so plain Python will do.

References: the inextensible heavy elastica θ'' = −Γ(1−s) cos θ, solved here by shooting with a high-order integrator, so that
nothing but this file is needed. `curvature-study.md` holds what this prints.
"""
import math

MEASURES = {
    # k(φ), k', k''
    "φ": (lambda x: x, lambda x: 1.0, lambda x: 0.0),
    "2 tan φ/2": (
        lambda x: 2 * math.tan(x / 2),
        lambda x: 1 / math.cos(x / 2) ** 2,
        lambda x: math.tan(x / 2) / math.cos(x / 2) ** 2,
    ),
    "2 sin φ/2": (lambda x: 2 * math.sin(x / 2), lambda x: math.cos(x / 2), lambda x: -math.sin(x / 2) / 2),
}
# lengths of the first vertices in units of l; the others have 1. None: the first link does not turn at all
RULES = {
    "first edge fixed": None,
    "half cell: 1/2, 1": (1 / 2,),
    "Gregory 1: 5/12, 13/12": (5 / 12, 13 / 12),
    "Gregory 2: 3/8, 7/6, 23/24": (3 / 8, 7 / 6, 23 / 24),
}
GAMMAS = (1, 10, 100)
SIZES = (50, 100, 200, 400)


def elastica(gamma, steps=4000):
    """Tip (x, drop) of the heavy elastica: RK4 with Richardson's extrapolation, the end slope found by bisection."""

    def shoot(slope, n):
        h = 1.0 / n
        y = [0.0, slope, 0.0, 0.0]

        def rate(s, v):
            return (v[1], -gamma * (1 - s) * math.cos(v[0]), math.cos(v[0]), math.sin(v[0]))

        for i in range(n):
            s = i * h
            k1 = rate(s, y)
            k2 = rate(s + h / 2, [a + h / 2 * b for a, b in zip(y, k1)])
            k3 = rate(s + h / 2, [a + h / 2 * b for a, b in zip(y, k2)])
            k4 = rate(s + h, [a + h * b for a, b in zip(y, k3)])
            y = [a + h / 6 * (p + 2 * q + 2 * r + t) for a, p, q, r, t in zip(y, k1, k2, k3, k4)]
        return y

    def solve(n):
        # θ'(1) grows with θ'(0); secant after a coarse bisection
        low, high = 0.0, gamma
        for _ in range(40):
            middle = (low + high) / 2
            low, high = (middle, high) if shoot(middle, 400)[1] < 0 else (low, middle)
        a, b = low, low * (1 + 1e-6)
        fa, fb = shoot(a, n)[1], shoot(b, n)[1]
        for _ in range(20):
            if fb == fa or abs(fb) < 1e-15:
                break
            a, b, fa = b, b - fb * (b - a) / (fb - fa), fb
            fb = shoot(b, n)[1]
        return shoot(b, n)

    coarse, fine = solve(steps // 2), solve(steps)
    return tuple(f + (f - c) / 15 for c, f in zip(coarse[2:], fine[2:]))


def solve_tridiagonal(lower, diagonal, upper, right):
    """Thomas' algorithm; the matrix is symmetric and, near a minimum, positive."""
    n = len(diagonal)
    d, r = diagonal[:], right[:]
    for i in range(1, n):
        m = lower[i - 1] / d[i - 1]
        d[i] -= m * upper[i - 1]
        r[i] -= m * r[i - 1]
    x = [0.0] * n
    for i in reversed(range(n)):
        x[i] = (r[i] - (upper[i] * x[i + 1] if i + 1 < n else 0)) / d[i]
    return x


def chain(gamma, n, measure, rule):
    """Tip (x, drop) of the chain."""
    k, dk, ddk = MEASURES[measure]
    l = 1.0 / n
    first = 0 if RULES[rule] else 1  # the first link that turns
    cells = [1.0] * n
    for i, c in enumerate(RULES[rule] or ()):
        cells[i] = c
        # the same from the free end, where vertex n itself bends nothing
        if i > 0:
            cells[n - i] = c
    stiffness = [1 / (c * l) for c in cells]
    arm = [gamma * l * (n - j - 0.5) * l for j in range(n)]
    theta = [0.0] * n
    # Γ in a few steps, so that the plain method needs no safeguard
    for load in (0.1, 0.3, 0.6, 1.0):
        for _ in range(60):
            free = range(first, n)
            gradient = [-load * arm[j] * math.cos(theta[j]) for j in range(n)]
            diagonal = [load * arm[j] * math.sin(theta[j]) for j in range(n)]
            off = [0.0] * n  # between j − 1 and j
            for i in range(first, n):
                phi = theta[i] - (theta[i - 1] if i > 0 else 0.0)
                moment = stiffness[i] * k(phi) * dk(phi)
                rate = stiffness[i] * (dk(phi) ** 2 + k(phi) * ddk(phi))
                gradient[i] += moment
                diagonal[i] += rate
                if i > 0:
                    gradient[i - 1] -= moment
                    diagonal[i - 1] += rate
                    off[i] = -rate
            inner = [off[j] for j in free][1:]
            step = solve_tridiagonal(inner, [diagonal[j] for j in free], inner, [-gradient[j] for j in free])
            largest = max(abs(s) for s in step)
            scale = min(1.0, 0.5 / largest) if largest > 0 else 1.0
            for j, s in zip(free, step):
                theta[j] += scale * s
            if largest < 1e-12:
                break
        else:
            raise RuntimeError(f"no equilibrium: Γ = {gamma}, N = {n}, {measure}, {rule}")
    return sum(math.cos(t) for t in theta) * l, sum(math.sin(t) for t in theta) * l


def main():
    reference = {g: elastica(g) for g in GAMMAS}
    for g in GAMMAS:
        print(f"reference Γ = {g}: W/L = {reference[g][0]:.7f}, H/L = {reference[g][1]:.7f}")
    for g in GAMMAS:
        print(f"\n### Γ = {g}\n")
        print("| end rule | measure | " + " | ".join(f"N = {n}" for n in SIZES) + " | order |")
        print("|---|---|" + "---|" * (len(SIZES) + 1))
        for rule in RULES:
            for measure in MEASURES:
                errors = [math.dist(chain(g, n, measure, rule), reference[g]) for n in SIZES]
                orders = [math.log2(a / b) for a, b in zip(errors, errors[1:])]
                print(f"| {rule} | {measure} | " + " | ".join(f"{e:.1e}" for e in errors)
                      + " | " + ", ".join(f"{o:.2f}" for o in orders) + " |")


if __name__ == "__main__":
    main()
