class np:
    ndarray = float64 = float32 = type("none", (), {})

    @staticmethod
    def allclose(a, b, rtol=1e-05, atol=1e-08):
        return np._close(a, b, np._shape(a), np._shape(b), rtol, atol)

    @staticmethod
    def _shape(x):
        if isinstance(x, (list, tuple)):
            shapes = {np._shape(e) for e in x}
            if len(shapes) > 1:
                raise ValueError("the requested array has an inhomogeneous shape")
            return (len(x), *shapes.pop()) if shapes else (0,)
        if not isinstance(x, (int, float, complex)) or isinstance(x, int) and not -2**63 <= x < 2**64:
            raise TypeError("ufunc 'isfinite' not supported for the input types")
        return ()

    @staticmethod
    def _close(a, b, m, n, rtol, atol):
        if len(m) > len(n):
            return all(np._close(x, b, m[1:], n, rtol, atol) for x in a)
        if len(m) < len(n):
            return all(np._close(a, y, m, n[1:], rtol, atol) for y in b)
        if not m:
            return a == b or b - b == 0 and abs(a - b) <= atol + rtol * abs(b)
        if m[0] != n[0] and 1 not in (m[0], n[0]):
            raise ValueError("operands could not be broadcast together")
        size = n[0] if m[0] == 1 else m[0]
        return all(np._close(a[i if m[0] != 1 else 0], b[i if n[0] != 1 else 0], m[1:], n[1:], rtol, atol) for i in range(size))
