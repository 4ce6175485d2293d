"""Phoenix's WASM backend, asked from standard input: a scorer's source and requests
first, then lines {"calls": N, "together": K}, each answered with how long every
call took, in nanoseconds, how long all took, the time of processors in that, and
what they printed."""

import asyncio
import json
import os
import sys
import time

from phoenix.server.sandbox.wasm_backend import WASMBackend


async def main():
    told = json.loads(sys.stdin.readline())
    codes = [
        told["source"] + "\nimport json\nr = json.loads(%r)\nprint(json.dumps({'score': score(r['case'], r['config'])}))\n" % request
        for request in told["requests"]
    ]
    backend = WASMBackend()
    for line in sys.stdin:
        wanted = json.loads(line)
        gate = asyncio.Semaphore(wanted["together"])
        took, said = [0] * wanted["calls"], [""] * wanted["calls"]

        async def one(k):
            async with gate:
                at = time.perf_counter_ns()
                result = await backend.execute(codes[k % len(codes)], "bench")
                took[k] = time.perf_counter_ns() - at
                if result.error:
                    raise RuntimeError(result.error + result.stderr)
                said[k] = result.stdout.strip()

        at, cpu = time.perf_counter_ns(), time.process_time_ns()
        await asyncio.gather(*(one(k) for k in range(wanted["calls"])))
        print(json.dumps({"took": took, "all": time.perf_counter_ns() - at, "cpu": time.process_time_ns() - cpu, "said": said}), flush=True)


asyncio.run(main())
os._exit(0)  # wasmtime's finalizers fail while Python ends
