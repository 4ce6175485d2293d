class np:
    ndarray = float64 = float32 = type("none", (), {})

    @staticmethod
    def allclose(a, b, rtol=1e-05, atol=1e-08):
        if isinstance(a, (list, tuple)) or isinstance(b, (list, tuple)):
            if not isinstance(b, (list, tuple)):
                return all(np.allclose(x, b, rtol, atol) for x in a)
            if not isinstance(a, (list, tuple)):
                return all(np.allclose(a, y, rtol, atol) for y in b)
            if len(a) != len(b):
                raise ValueError("operands could not be broadcast together")
            return all(np.allclose(x, y, rtol, atol) for x, y in zip(a, b))
        return a == b or abs(a - b) <= atol + rtol * abs(b)
