# A faster intersection of Counters.

def _faster_and(_of=collections.Counter, _was=collections.Counter.__and__, _type=type, _get=dict.get, _new=dict.__new__, _add=dict.setdefault):
    """The intersection of two Counters, which overlaps of words are counted by: the same, without a call in Python for each
    word that one of them lacks, and without the way around that stores take in a Counter. Other classes, and Counters that a
    script has changed, get the original."""
    missing, init, update = _of.__missing__, _of.__init__, _of.update

    def __and__(self, other):
        if not (_type(self) is _of and _type(other) is _of and _of.__missing__ is missing and _of.__init__ is init and _of.update is update and "__setitem__" not in _of.__dict__):
            return _was(self, other)
        result = _new(_of)
        for elem, count in self.items():
            theirs = _get(other, elem, 0)
            least = count if count < theirs else theirs
            if least > 0:
                _add(result, elem, least)
        return result

    for name in ("__name__", "__qualname__", "__doc__", "__module__"):
        setattr(__and__, name, getattr(_was, name))
    _of.__and__ = __and__


_faster_and()
