# TRL: reward_func(prompts, completions, **columns), by that or another name.

def _rewards(f):
    """Reports whether that is a function of rewards as TRL has them, whatever its name."""
    try:
        return isinstance(f, types.FunctionType) and "completions" in inspect.signature(f).parameters
    except (TypeError, ValueError):
        return False


def _trl(f):
    try:  # completions are messages to a function that looks at their content, else texts
        messages = re.search(r"""\[0\]\[['"]content['"]\]|\[-1\]\[['"]content['"]\]|\.get\(['"]content['"]""", inspect.getsource(f)) is not None
    except (OSError, TypeError):
        messages = False

    wants = list(inspect.signature(f).parameters.values())
    keys = _settings(wants)

    def score(case, config):
        wrap = (lambda role, text: [{"role": role, "content": text}]) if config.get("conversational", messages) else lambda role, text: text
        row = {**_row(case, dict.fromkeys(("ground_truth", "answer", "solution", "reference", "answers", "solutions", "target", "label"), _expected(case)), {}),
               **{k: v for k, v in case.items() if k not in _given and v is not None}}  # a column of the dataset is what it is
        kwargs = {"prompts": [wrap("user", case.get("input"))], "completions": [wrap("assistant", case.get("output"))], **{k: [x] for k, x in row.items()}}
        if keys is not None:
            kwargs = {p.name: kwargs[p.name] for p in wants if p.name in kwargs}
        kwargs.update({k: v for k, v in _set(config, keys).items() if k not in ("conversational", "prompts", "completions")})
        for p in wants:
            if p.name not in kwargs and p.default is p.empty and p.kind not in (p.VAR_KEYWORD, p.VAR_POSITIONAL):
                return {"unscored": "the case has no %s, which %s() asks for" % (p.name, getattr(f, "__name__", "the function"))}
        got = f(**kwargs)
        if isinstance(got, types.CoroutineType):
            got = _await(got)
        if not isinstance(got, (list, tuple)):
            return got
        return got[0] if len(got) == 1 else {"error": "%s() returned %d rewards for one completion; return a list of one" % (getattr(f, "__name__", "the function"), len(got))}
    return _of_output(score, None if keys is None else (keys | {"conversational"}) - {"prompts", "completions"})


def _one_reward(module):
    """The function of rewards that a module has, whatever its name."""
    rewards = {k: f for k, f in vars(module).items() if callable(f) and (k.endswith(("_reward", "_reward_func")) or _rewards(f) and f.__module__ == module.__name__)}
    if len(rewards) > 1:
        raise _Missing("%s: it has %s; %s" % (_entry, " and ".join(rewards), _meant(next(iter(rewards)))))
    return _trl(*rewards.values()) if rewards else None


_shims["reward_func"] = _shims["reward"] = _trl
_signatures.append((_rewards, _trl))
_searches.append(_one_reward)
