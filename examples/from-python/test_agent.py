import json
import unittest

from grader import grade


class TestAgent(unittest.TestCase):
    def test_answers(self):
        with open("cases.jsonl", encoding="utf-8") as cases:
            for case in map(json.loads, cases):
                with self.subTest(case["id"]):
                    row = grade("rubric.yaml", **case)
                    self.assertIsNotNone(row["score"], row.get("reason"))
                    self.assertTrue(row["passed"], row["feedback"])
