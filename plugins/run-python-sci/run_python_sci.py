# run-python on python-sci: the same judge and candidate, with numpy's values between them.
import compression._common._streams, sys, types
from importlib.util import find_spec

import arrays  # noqa: F401 - extends wire.py, of which the modules below take names
from harness import lacks

# What candidates and tests import takes time in every call, unless it is in the image.
import numpy.fft, numpy.linalg, numpy.ma, numpy.polynomial, numpy.random, numpy.testing
import dateutil.parser, networkx, pandas, regex, sympy, yaml
import scipy.integrate, scipy.interpolate, scipy.linalg, scipy.ndimage, scipy.optimize, scipy.signal, scipy.sparse, scipy.spatial, scipy.special, scipy.stats
import sklearn.cluster, sklearn.decomposition, sklearn.ensemble, sklearn.feature_extraction, sklearn.linear_model, sklearn.metrics, sklearn.model_selection, sklearn.preprocessing

# matplotlib is there, but reads files that are not.
lacks.HELD = frozenset(name for name in lacks.PACKAGES - {"matplotlib"} if name not in sys.stdlib_module_names and find_spec(name) is not None)
lacks.PACKAGES -= lacks.HELD
sys.meta_path.remove(lacks.missing)
sys.meta_path.insert(0, lacks.missing)

from run_python import auto, calls, io, serve_peer, tests  # noqa: E402


def _warm_up():
    """Uses the packages while the image is made: caches are filled and code is specialised for the calls."""
    import numpy as np
    import pandas as pd
    import sympy
    from scipy import optimize, stats
    from sklearn.linear_model import LinearRegression, LogisticRegression
    from sklearn.metrics import f1_score
    x, t = np.arange(8.0).reshape(-1, 1), sympy.symbols("t")
    for _ in range(3):
        LinearRegression().fit(x, x.ravel()).predict(x)
        LogisticRegression().fit(x, x.ravel() > 3).predict(x)
        f1_score([0, 1, 1], [0, 1, 0])
        frame = pd.DataFrame({"k": ["a", "b", "a"], "v": [1, 2.5, 3]})
        frame.groupby("k").v.sum().to_dict(), frame.merge(frame, on="k").sort_values("v_x").describe(), frame.to_string(), frame.pivot_table("v", "k")
        stats.spearmanr([1, 2, 3, 4], [1, 3, 2, 4]), stats.ttest_ind([1, 2, 3], [2, 3, 5]), stats.norm.cdf(0.5), stats.linregress([1, 2, 3], [2, 3, 5])
        optimize.minimize(lambda v: (v[0] - 1) ** 2, [0.0]), optimize.brentq(lambda v: v - 1, 0, 3)
        sympy.solve(t**2 - 5 * t + 6, t), sympy.integrate(sympy.sin(t) * t, t), sympy.simplify((t**2 - 1) / (t - 1)), sympy.diff(sympy.exp(t) / t, t), sympy.Matrix([[1, 2], [3, 4]]).inv()
        np.linalg.solve(np.eye(2), np.ones(2)), np.linalg.eig(np.eye(2)), np.fft.fft(np.ones(8)), np.polyfit(x.ravel(), x.ravel(), 1), repr(x)
        np.testing.assert_allclose(x, x), np.array_equal(x, x), np.allclose(x, x), np.random.default_rng(1).normal(size=3)


_warm_up()
compression._common._streams.sys = types.SimpleNamespace(maxsize=sys.maxsize)  # read() of gzip, bz2 and lzma does so, too
sys.maxsize = (1 << 63) - 1  # as for scripts in the other Python; scipy passes it to functions in C when it is imported
