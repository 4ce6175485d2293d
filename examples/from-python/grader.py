"""rubric-host from Python. Needs the program in PATH, and no package."""
import contextlib
import json
import subprocess
import threading


class Ungraded(Exception):
    """Nothing was graded: the rubric, the case or the program is at fault."""


def grade(rubric, **case):
    """Grades a case: its row, with score (None: it has none, reason says why), passed and criteria."""
    command = ["rubric-host", "grade", rubric, "--input", "-", "--json"]
    done = subprocess.run(command, input=json.dumps(case), capture_output=True, encoding="utf-8")
    row = json.loads(done.stdout or "{}")
    if "score" not in row:
        raise Ungraded(done.stderr)
    return row


class Metric:
    """A metric in a process that stays. Call it with cases: a list of scores, None for a case without one."""

    def __init__(self, plugin, *flags):
        command = ["rubric-host", "score", plugin, "--lines", *flags]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")
        self.lock = threading.Lock()

    def __call__(self, cases):
        text = [json.dumps(case) + "\n" for case in cases]
        with self.lock:
            try:
                # A thread writes: with many cases, both would wait for the other to read.
                writer = threading.Thread(target=self._write, args=["".join(text)])
                writer.start()
                lines = [self.process.stdout.readline() for _ in text]
                writer.join()
            except BaseException:  # such as an interrupt: the next call must not read the answers to this one
                self.process.kill()
                self.process.stdout.close()
                raise
        if "" in lines:
            raise Ungraded("rubric-host has ended; standard error says why")
        return [json.loads(line)["score"] for line in lines]

    def _write(self, text):
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.write(text)
            self.process.stdin.flush()

    def close(self):
        self.process.stdin.close()
        return self.process.wait()  # 3: a line failed
