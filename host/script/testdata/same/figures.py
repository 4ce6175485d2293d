"""Metrics over numbers as people write them. See scorers.py. Those whose name ends
with _libm use functions of the C library that no standard fixes to the last bit;
those with _32, what depends on the bits of the machine."""

import _strptime  # strptime() imports it in its first call, which every call is
import array
import base64
import bisect
import calendar
import cmath
import datetime
import decimal
import fractions
import functools
import itertools
import math
import operator
import random
import statistics
import struct
import sys
import zlib


def _numbers(case):
    return [float(x) for x in case["metadata"]["numbers"]]


def averaged(case, config):
    n = _numbers(case)
    if len(n) < 3:
        return None
    return {"score": 1 / (1 + abs(statistics.median(n))), "mean": statistics.mean(n), "quantiles": statistics.quantiles(n, n=5), "stdev": statistics.stdev(n),
            "mode": statistics.mode(round(x) for x in n), "fsum": math.fsum(n), "prod": math.prod(n), "hypot": math.dist(n[:2], n[1:3]) >= 0}


def summed(case, config):
    n = _numbers(case)
    return {"score": 0.5, "sum": sum(n), "weighted": sum(x * w for x, w in zip(n, itertools.count(1))), "start": sum(n, 0.1), "integers": sum([1, 2.5, *n, 3])}


def mixed_32(case, config):
    return {"score": 0.5, "given": sum(case["metadata"]["numbers"]), "large": sum([1, 2.5, *_numbers(case), 10**12, -10**12])}


def hashed_32(case, config):
    return {"score": 0.5, "hash": hash(tuple(_numbers(case)[:2])) % 1000, "set": list({round(x) << 20 for x in _numbers(case)}), "max": sys.maxsize, "long": struct.calcsize("l")}


def priced(case, config):
    with decimal.localcontext() as ctx:
        ctx.prec, ctx.rounding = 28, decimal.ROUND_HALF_EVEN
        total = sum((decimal.Decimal(repr(x)) for x in _numbers(case)), decimal.Decimal(0))
        cents = total.quantize(decimal.Decimal("0.01"), rounding=decimal.ROUND_HALF_UP) if abs(total) < 10**20 else total.normalize()
        third = total / 3
        return {"score": float(abs(third) / (1 + abs(total))), "reason": f"{cents:,} and {third:.6E}", "exp": str((1 + 1 / (1 + abs(total))).exp()), "sqrt": str(abs(total).sqrt())}


def rational(case, config):
    n = [fractions.Fraction(x).limit_denominator(1000) for x in _numbers(case)[:6]]
    total = functools.reduce(operator.add, n, fractions.Fraction(1, 3))
    return {"score": float(1 / (1 + abs(total))), "reason": str(total), "floor": math.floor(total), "rounded": round(total, 2).numerator}


def printed(case, config):
    out = []
    for x in _numbers(case):
        out += [repr(x), f"{x:.17g}", f"{x:e}", "%.3f" % x, f"{x:,.2f}", x.hex(), str(round(x, 3)), format(x, "+012.4g"), f"{x:.0%}", f"{x!s:>12.8}", f"{round(x):#x}"]
    return {"score": len(set(out)) / (1 + len(out)), "reason": " ".join(out)[:1500], "ratio": [list(x.as_integer_ratio()) == [int(x), 1] for x in _numbers(case)]}


def parsed(case, config):
    values = []
    for w in case["output"].split():
        for f in (int, float, lambda s: int(s, 16), lambda s: int(s, 0), lambda s: complex(s).imag, float.fromhex):
            try:
                values.append(float(f(w)))
            except (ValueError, OverflowError):
                pass
    return {"score": len(values) / (1 + 6 * len(case["output"].split())), "values": [repr(v) for v in values]}


def big(case, config):
    n = int.from_bytes(case["output"].encode()[:40], "big") | 1
    m = int.from_bytes(case["references"][0].encode()[:24], "little") | 1
    facts = [pow(n, m, (1 << 61) - 1), math.gcd(n, m), math.isqrt(n), n.bit_length(), (n * m).bit_count(), math.comb(n % 90, m % 40), n // -m, n % -m, divmod(-n, m)[1], (n << 7 ^ m) & 0xFFFFFFFF]
    return {"score": n / (n + m), "reason": " ".join(map(str, facts)), "exact": n / m if n.bit_length() - m.bit_length() < 1000 else 0}


def looped(case, config):
    """A loop of random statements on ints. No number changes that something else has."""
    chosen = random.Random(case["output"])
    program = "def run(kept):\n    a = b = c = d = 300\n    for i in range(%d, %d, %d):\n" % chosen.choice([(0, 400, 1), (1000, -1000, -7), (2**30 - 100, 2**30 + 100, 1)])
    for _ in range(20):
        x, y, z = chosen.choices("abcdi", k=3)
        n = chosen.choice([-1000, -300, -5, -1, 1, 2, 3, 255, 257, 2**15, 2**30 - 1, 2**30, 10**10])
        program += "        " + chosen.choice([
            f"{x} = {y} + {z}", f"{x} = {y} - {z}", f"{x} = {y} * {z} % (2**61 - 1)", f"{x} += {y}", f"{x} -= {n}", f"{x} = {y} + {n}", f"{x} = ({y} - {z}) * 2 % (2**61 - 1)",
            f"{x} = {y} % {n}", f"{x} //= {n}", f"{x} %= {n}", f"{x} = {y} // ({z} or 1)", f"{x}, {y} = {y}, {x} + 1", f"if {x} < {n}: {y} = {x}", f"if not {x} == {y}: {z} += 1",
            f"{x} = {y} > {n} or {z}", f"while {x} > {n} and {x} > 0: {x} //= 2", f"for {x} in range({y} % 7 + 250, 262): {z} += {x}", f"kept += [{x}, {y} + 1]", f"if {x} in kept[-20:]: {y} -= 1"]) + "\n"
    kept, names = [], {}
    exec(program + "        kept += [a, b, c, d, i]\n", names)
    names["run"](kept)
    return zlib.crc32(repr(kept).encode()) / 2**32


def narrowed(case, config):
    n = _numbers(case)
    singles = struct.unpack(f"<{len(n)}f", struct.pack(f"<{len(n)}f", *(max(min(x, 3e38), -3e38) for x in n)))
    halves = struct.unpack("<e", struct.pack("<e", len(n) / 7))
    doubles = array.array("d", n)
    doubles.byteswap()
    return {"score": 0.5, "singles": singles, "halves": halves, "reason": base64.b64encode(doubles.tobytes()[:48]).decode(), "next": [math.nextafter(x, math.inf) for x in n[:3]], "ulp": [math.ulp(x) for x in n[:3]],
            "parts": [math.frexp(x) for x in n[:3]], "mod": [math.fmod(x, 0.7) for x in n] + [x % 0.7 for x in n] + [x // 0.7 for x in n] + [math.remainder(x, 0.7) for x in n]}


def kendall(case, config):
    a = _numbers(case)
    b = sorted(a, key=lambda x: (round(x) % 3, -x))
    pairs = list(itertools.combinations(range(len(a)), 2))
    tau = sum((a[i] < a[j]) - (a[i] > a[j]) for i, j in pairs)
    rank = [bisect.bisect_left(sorted(a), x) for x in b]
    return {"score": (1 + tau / max(len(pairs), 1)) / 2, "rank": rank, "run": list(itertools.accumulate(rank, max)), "inversions": sum(x > y for x, y in itertools.combinations(rank, 2))}


def sampled(case, config):
    r = random.Random(case["output"])
    n = _numbers(case) or [0.0]
    means = sorted(statistics.fmean(r.choices(n, k=len(n))) for _ in range(20))
    deck = list(range(12))
    r.shuffle(deck)
    return {"score": r.random(), "interval": [means[1], means[-2]], "deck": deck, "sample": r.sample(range(1000), 4), "bits": r.getrandbits(70), "range": r.randrange(10**12), "uniform": r.uniform(-1, 1)}


def calendars(case, config):
    days = case["metadata"]["days"]
    d = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc) + datetime.timedelta(days=days, seconds=days * 7919 % 86400, microseconds=abs(days) * 31 % 10**6)
    east = d.astimezone(datetime.timezone(datetime.timedelta(hours=5, minutes=45), "NPT"))
    read = datetime.datetime.strptime(d.strftime("%d %b %Y %H:%M:%S"), "%d %b %Y %H:%M:%S")
    return {"score": d.timetuple().tm_yday / 366, "iso": [d.isoformat(), east.isoformat(" ", "minutes"), list(d.isocalendar()), d.strftime("%A %j %U %p %Z")], "read": read.isoformat(),
            "leap": calendar.isleap(d.year), "seconds": d.timestamp(), "month": calendar.monthrange(d.year, d.month), "ago": str(d - d.replace(month=1, day=1)), "parsed": datetime.date.fromisoformat(d.date().isoformat()).toordinal()}


def perplexity_libm(case, config):
    p = [1 / (1 + abs(x)) for x in _numbers(case)]
    return math.exp(math.fsum(math.log(x) for x in p) / len(p)) if p else None


def powers_libm(case, config):
    n = [abs(x) % 9 + 0.1 for x in _numbers(case)]
    return {"score": 0.5, "values": [[x ** 0.3, x ** 3, math.pow(x, -2.5), math.cbrt(x), math.log2(x), math.log10(x), math.log1p(x), math.expm1(x), math.exp2(x)] for x in n]}


def angles_libm(case, config):
    n = [x if abs(x) < 1e6 else 1.0 for x in _numbers(case)]
    return {"score": 0.5, "values": [[math.sin(x), math.cos(x), math.tan(x), math.atan(x), math.atan2(x, 2), math.tanh(x), math.asinh(x), math.sinh(x % 5)] for x in n], "phase": [cmath.phase(complex(x, 1)) for x in n]}


def errors_libm(case, config):
    n = [x if abs(x) < 30 else 0.5 for x in _numbers(case)]
    return {"score": 0.5, "values": [[math.erf(x), math.erfc(x), math.gamma(abs(x) + 0.5), math.lgamma(abs(x) + 0.5), statistics.NormalDist(0, 2).cdf(x)] for x in n]}


def normal_libm(case, config):
    r = random.Random(7)
    return {"score": 0.5, "values": [r.gauss(0, 1) + len(case["output"]), r.expovariate(2), r.betavariate(2, 3), r.lognormvariate(0, 1), statistics.NormalDist(1, 2).inv_cdf(r.random())]}


def softmax_libm(case, config):
    n = _numbers(case)
    if not n:
        return None
    most = max(n)
    e = [math.exp(max(x - most, -700)) for x in n]
    total = math.fsum(e)
    p = [x / total for x in e]
    return {"score": max(p), "entropy": -math.fsum(x * math.log(x) for x in p if x > 0), "norm": math.hypot(*p), "brier": math.fsum((x - 0.5) ** 2 for x in p)}
