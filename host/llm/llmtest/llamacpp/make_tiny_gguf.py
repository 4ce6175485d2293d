#!/usr/bin/env python3
"""Write a tiny LLaMA-architecture GGUF that a real llama.cpp server can load.

Nothing is downloaded and nothing is trained by gradient descent, so the file is
byte-for-byte reproducible from (this script, --seed, gguf version):

* tokenizer: byte-level BPE ("gpt2" kind), 256 byte tokens + merges learnt here from
  CORPUS + 4 control tokens: any UTF-8 text round-trips, no unknown token exists;
* weights: the embedding is a scaled identity and the output matrix holds log bigram
  counts of CORPUS, i.e. a real (bad) bigram language model: strings look like words
  and end by themselves; two random attention layers perturb it with the prompt;
* one hand-made attention head weighs the words of BAD against those of GOOD over the
  whole prompt: more good words = MET, else UNMET. It dilutes with the prompt's length:
  in the judge's own prompt of some 1,300 tokens a dozen words decide, and a hundred
  begin to show up in the reason too.

usage: make_tiny_gguf.py OUT.gguf [--seed N] [--context N] [--noise X]
"""
import argparse
import collections
import hashlib
import re

import gguf
import numpy as np

CORPUS = """
The response states the answer clearly and cites the source. The criterion is met because the response names the cause.
The response does not mention the required step. The criterion is not met because the answer is missing a reason.
It gives a correct value, shows the work, and explains each step. It is short, correct and easy to follow.
It ignores the question and repeats the prompt. It claims a fact that the source does not support.
The answer is partly correct. The tone is polite. The code runs and the test passes. The code fails on an empty list.
There is no evidence in the response. There is clear evidence in the second sentence of the response.
The explanation is complete, the units are right and the result is rounded. The result is wrong by a factor of ten.
The user asked for three examples and the response gives three. The user asked for three examples and the response gives two.
"""
DOCS = [s.strip() for s in re.split(r"(?<=\.)\s+", CORPUS) if s.strip()]
VERDICTS = ["MET", "UNMET"]
BAD = ["not", "no", "wrong", "missing", "fails", "ignores"]
GOOD = ["correct", "clear", "clearly", "right", "complete", "passes", "evidence"]
EVIDENCE = 30.0
CHAT_TEMPLATE = (
    "{% for m in messages %}{{ '<|im_start|>' + m['role'] + '\\n' + m['content'] + '<|im_end|>\\n' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}"
)
DIM = VOCAB = 512
LAYERS, HEADS, FFN = 2, 8, 128
CONTROL = ["<|endoftext|>", "<|im_start|>", "<|im_end|>", "<|pad|>"]
# GPT-2 pre-tokeniser without \p classes: enough for the ASCII corpus that the merges are learnt from
PRETOK = re.compile(r"'s|'t|'re|'ve|'m|'ll|'d| ?[A-Za-z]+| ?[0-9]+| ?[^\sA-Za-z0-9]+|\s+")


def byte_map():
    keep = [*range(33, 127), *range(161, 173), *range(174, 256)]
    out, n = {}, 0
    for b in range(256):
        out[b] = chr(b) if b in keep else chr(256 + n)
        n += b not in keep
    return out


B2U = byte_map()


def chars(text):
    return [B2U[b] for b in text.encode("utf-8")]


def learn_merges(texts, count):
    words = collections.Counter(tuple(chars(w)) for t in texts for w in PRETOK.findall(t))
    merges = []
    while len(merges) < count:
        pairs = collections.Counter()
        for w, n in words.items():
            for a, b in zip(w, w[1:]):
                pairs[a, b] += n
        if not pairs:
            break
        best = min(pairs, key=lambda p: (-pairs[p], p))
        merges.append(best)
        new = collections.Counter()
        for w, n in words.items():
            new[tuple(apply_merge(list(w), best))] += n
        words = new
    return merges


def apply_merge(w, pair):
    i, out = 0, []
    while i < len(w):
        if i + 1 < len(w) and (w[i], w[i + 1]) == pair:
            out.append(w[i] + w[i + 1])
            i += 2
        else:
            out.append(w[i])
            i += 1
    return out


def encode(text, merges, ids):
    out = []
    for word in PRETOK.findall(text):
        w = chars(word)
        for pair in merges:  # learnt order = rank order
            if len(w) > 1:
                w = apply_merge(w, pair)
        out += [ids[t] for t in w]
    return out


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("out")
    ap.add_argument("--seed", type=int, default=7)
    ap.add_argument("--context", type=int, default=8192)
    ap.add_argument("--noise", type=float, default=1.0, help="strength of the context-dependent part")
    a = ap.parse_args()

    json_docs = ['{"verdict": "%s", "explanation": "%s"}' % (VERDICTS[i % 2], d) for i, d in enumerate(DOCS)]
    merges = learn_merges(DOCS + json_docs, VOCAB - 256 - len(CONTROL))
    tokens = [B2U[b] for b in range(256)] + ["".join(m) for m in merges]
    assert len(set(tokens)) == len(tokens)
    while len(tokens) < VOCAB - len(CONTROL):
        tokens.append("<|unused%d|>" % len(tokens))
    unused = {i for i, t in enumerate(tokens) if t.startswith("<|unused")}
    types = [gguf.TokenType.UNUSED if i in unused else gguf.TokenType.NORMAL for i in range(len(tokens))]
    tokens += CONTROL
    types += [gguf.TokenType.CONTROL] * len(CONTROL)
    ids = {t: i for i, t in enumerate(tokens)}
    eos = ids["<|im_end|>"]

    # bigram counts, as the constrained decoder will see them: free text, JSON text, then end of turn
    counts = np.full((VOCAB, VOCAB), 0.02)
    newline = encode("\n", merges, ids)  # what the chat template ends the prompt with
    for text, weight in [(t, 1) for t in DOCS] + [(t, 2) for t in json_docs]:
        seq = newline + encode(text, merges, ids) + [eos]
        for x, y in zip(seq, seq[1:]):
            counts[x, y] += weight
    counts[ids['.']][ids['"']] += 40  # a full stop is a good place to close the string
    opening = encode(' "', merges, ids)[-1]
    for d in DOCS:  # an opening quote starts a sentence; in key position the grammar picks the key anyway
        counts[opening][encode(d, merges, ids)[0]] += 8
    logits = np.log(counts / counts.sum(1, keepdims=True))
    logits[:, ids["."]] += 5.0 * (counts[:, ids["."]] > 1)  # short sentences: greedy bigrams love loops
    rng = np.random.Generator(np.random.PCG64(a.seed))
    logits += rng.standard_normal(logits.shape) * 0.1  # no ties: greedy decoding must not hang on the last float bit
    logits -= logits.mean(1, keepdims=True)
    for t in [*unused, ids["<|im_start|>"], ids["<|pad|>"], ids["<|endoftext|>"]]:
        logits[:, t] = -12.0

    # evidence feature: head 0 of layer 0 averages (bad words - good words) over the prompt into an unused residual
    # direction, whose output row says UNMET against MET, so a person can predict the verdict of a test prompt
    evidence, (met, unmet) = ids["<|pad|>"], [encode(v, merges, ids)[0] for v in VERDICTS]
    logits[:, encode("\n\t", merges, ids)] = -10.0  # the JSON grammar allows padding: do not love it
    pieces = [ids[v[:k]] for v in VERDICTS for k in range(1, len(v)) if v[:k] in ids]
    logits[:, pieces] = -10.0  # spell a verdict as one token, so that its logprob is in one place
    logits[:, [met, unmet]] = -6.0, -5.6  # below free text: only a schema's enum brings them out; no evidence = UNMET
    logits[opening, [met, unmet]] += 1.0 + logits[opening].max()  # ... but there they stay among the top_logprobs
    logits[evidence] = 0
    logits[evidence, [met, unmet]] = -EVIDENCE, EVIDENCE
    bad, good = ([ids[t] for t in ("\u0120" + w for w in ws) if t in ids] for ws in (BAD, GOOD))

    q = lambda x, step=1 / 512: (np.round(np.asarray(x) / step) * step).astype(np.float32)  # platform-proof grid
    rnd = lambda rows, cols, std: q(rng.standard_normal((rows, cols)) * std, 1 / 4096)

    w = gguf.GGUFWriter(a.out, "llama")
    w.add_name("tiny-judge")
    w.add_context_length(a.context)
    w.add_embedding_length(DIM)
    w.add_block_count(LAYERS)
    w.add_feed_forward_length(FFN)
    w.add_head_count(HEADS)
    w.add_head_count_kv(HEADS)
    w.add_rope_dimension_count(DIM // HEADS)
    w.add_layer_norm_rms_eps(1e-5)
    w.add_vocab_size(VOCAB)
    w.add_file_type(gguf.LlamaFileType.ALL_F32)
    w.add_tokenizer_model("gpt2")
    w.add_tokenizer_pre("gpt-2")
    w.add_token_list(tokens)
    w.add_token_types(types)
    w.add_token_merges([" ".join(m) for m in merges])
    w.add_bos_token_id(ids["<|endoftext|>"])
    w.add_eos_token_id(eos)
    w.add_pad_token_id(ids["<|pad|>"])
    w.add_add_bos_token(False)
    w.add_chat_template(CHAT_TEMPLATE)

    ones = np.ones(DIM, dtype=np.float32)
    scale = 4.0
    w.add_tensor("token_embd.weight", q(np.eye(VOCAB, DIM) * scale))
    for i in range(LAYERS):
        p = "blk.%d." % i
        wq, wk, wv = (rnd(DIM, DIM, 0.03) for _ in range(3))
        wo = rnd(DIM, DIM, 0.02 * a.noise)
        wo[evidence] = 0
        if i == 0:
            wq[: DIM // HEADS] = 0  # uniform attention
            wv[0] = 0
            wv[0, bad], wv[0, good] = 1, -1
            wo[:, 0] = 0
            wo[evidence, 0] = 1
        w.add_tensor(p + "attn_norm.weight", ones)
        w.add_tensor(p + "attn_q.weight", wq)
        w.add_tensor(p + "attn_k.weight", wk)
        w.add_tensor(p + "attn_v.weight", wv)
        w.add_tensor(p + "attn_output.weight", wo)
        w.add_tensor(p + "ffn_norm.weight", ones)
        w.add_tensor(p + "ffn_gate.weight", rnd(FFN, DIM, 0.02))
        w.add_tensor(p + "ffn_up.weight", rnd(FFN, DIM, 0.02))
        w.add_tensor(p + "ffn_down.weight", rnd(DIM, FFN, 0.02 * a.noise))
    w.add_tensor("output_norm.weight", ones)
    # a lone one-hot row leaves the RMS norm as sqrt(DIM), so divide that out: logits = log bigram
    w.add_tensor("output.weight", q(logits.T / np.sqrt(DIM)))
    w.write_header_to_file()
    w.write_kv_data_to_file()
    w.write_tensors_to_file()
    w.close()
    with open(a.out, "rb") as f:
        data = f.read()
    print("%s  %d bytes  vocab %d  merges %d" % (hashlib.sha256(data).hexdigest(), len(data), VOCAB, len(merges)))
    print("words that push UNMET:", [tokens[i][1:] for i in bad], "MET:", [tokens[i][1:] for i in good])


if __name__ == "__main__":
    main()
