"""train.py: programs as scripts and candidates are: compiled, then run, many small ones. build.sh counts in them what is hot."""
import marshal

PROGRAMS = '''
def primes(n):
    found = []
    for k in range(2, n):
        for j in range(2, k):
            if k % j == 0:
                break
        else:
            found.append(k)
    return found
assert primes(60)[-3:] == [47, 53, 59]
assert len(primes(400)) == 78

def is_square(n):
    root = int(n ** 0.5)
    return root * root == n
def divisor_sum(n):
    return sum(d for d in range(1, n) if n % d == 0)
assert [n for n in range(2, 500) if divisor_sum(n) == n] == [6, 28, 496]
assert sum(map(is_square, range(3000))) == 55

def triples(limit):
    count = 0
    for a in range(1, limit):
        for b in range(a, limit):
            c = a * a + b * b
            for k in range(b, limit):
                if k * k == c:
                    count += 1
                elif k * k > c:
                    break
    return count
assert triples(40) == 15

def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)
def tribonacci(n, memo={}):
    if n not in memo:
        memo[n] = 0 if n < 2 else 1 if n == 2 else tribonacci(n - 1) + tribonacci(n - 2) + tribonacci(n - 3)
    return memo[n]
assert fibonacci(17) == 1597 and tribonacci(60) > 10 ** 15
def hanoi(n, a, b, c):
    return [] if n == 0 else hanoi(n - 1, a, c, b) + [(a, c)] + hanoi(n - 1, b, a, c)
assert len(hanoi(9, "A", "B", "C")) == 511

def bubble(xs):
    xs = list(xs)
    for i in range(len(xs)):
        for j in range(len(xs) - 1 - i):
            if xs[j] > xs[j + 1]:
                xs[j], xs[j + 1] = xs[j + 1], xs[j]
    return xs
def quick(xs):
    if len(xs) <= 1:
        return xs
    pivot = xs[0]
    return quick([x for x in xs[1:] if x < pivot]) + [pivot] + quick([x for x in xs[1:] if x >= pivot])
def merge(a, b):
    out, i, j = [], 0, 0
    while i < len(a) and j < len(b):
        if a[i] <= b[j]:
            out.append(a[i])
            i += 1
        else:
            out.append(b[j])
            j += 1
    return out + a[i:] + b[j:]
data = [(k * 7919) % 541 for k in range(120)]
assert bubble(data) == quick(data) == sorted(data) == merge(sorted(data[:50]), sorted(data[50:]))
def search(xs, x):
    low, high = 0, len(xs) - 1
    while low <= high:
        middle = (low + high) // 2
        if xs[middle] == x:
            return middle
        if xs[middle] < x:
            low = middle + 1
        else:
            high = middle - 1
    return -1
ordered = sorted(set(data))
assert all(ordered[search(ordered, x)] == x for x in data) and search(ordered, -5) == -1

text = "The quick brown fox jumps over the lazy dog, and then the dog sleeps. " * 8
def words(text):
    counts = {}
    for word in text.lower().split():
        word = word.strip(".,")
        counts[word] = counts.get(word, 0) + 1
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))
assert words(text)[0] == ("the", 24)
def vowels(s):
    n = 0
    for c in s:
        if c in "aeiouAEIOU":
            n += 1
    return n
assert vowels(text) > 100
def caesar(s, shift):
    out = ""
    for c in s:
        if c.isalpha():
            base = ord("a") if c.islower() else ord("A")
            out += chr((ord(c) - base + shift) % 26 + base)
        else:
            out += c
    return out
assert caesar(caesar(text, 3), 23) == text
def palindrome(s):
    s = "".join(c.lower() for c in s if c.isalnum())
    return s == s[::-1]
assert palindrome("A man, a plan, a canal: Panama") and not palindrome(text)
def brackets(s):
    stack, pairs = [], {")": "(", "]": "[", "}": "{"}
    for c in s:
        if c in "([{":
            stack.append(c)
        elif c in pairs:
            if not stack or stack.pop() != pairs[c]:
                return False
    return not stack
assert brackets("([]{()})" * 20) and not brackets("([)]")
def edits(a, b):
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        before, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (x != y))
    return row[-1]
assert edits("intention to win", "execution is all") > 5 and edits("kitten", "sitting") == 3
assert " ".join(reversed(text.split()))[::-1] and text.title().swapcase().replace("O", "0").count("0") > 5
assert text.find("lazy") == 35 and text.startswith("The") and text.upper().lower() == text.lower() and len(text.split(",")) == 9
assert [f"{k:03d}|{k / 7:.2f}|{text[k]!r}" for k in range(50)][7] == "007|1.00|'c'"
assert "%d of %s" % (3, "x") == "3 of x" and "{:>5}".format("ab") == "   ab" and str(12345)[::-1] == "54321"
assert bin(37)[2:] == "100101" and int("ff", 16) == 255 and sum(int(d) for d in str(2 ** 100)) == 115

def transpose(m):
    return [list(row) for row in zip(*m)]
matrix = [[i * j + 1 for j in range(12)] for i in range(12)]
def product(a, b):
    n = len(a)
    out = [[0] * n for _ in range(n)]
    for i in range(n):
        for j in range(n):
            for k in range(n):
                out[i][j] += a[i][k] * b[k][j]
    return out
assert transpose(transpose(matrix)) == matrix and product(matrix, matrix)[0][0] == 12
def islands(grid):
    seen, n = set(), 0
    for r in range(len(grid)):
        for c in range(len(grid[0])):
            if grid[r][c] and (r, c) not in seen:
                n, queue = n + 1, [(r, c)]
                while queue:
                    y, x = queue.pop()
                    if 0 <= y < len(grid) and 0 <= x < len(grid[0]) and grid[y][x] and (y, x) not in seen:
                        seen.add((y, x))
                        queue += [(y + 1, x), (y - 1, x), (y, x + 1), (y, x - 1)]
    return n
assert islands([[(i * j) % 3 == 1 for j in range(15)] for i in range(15)]) > 1
def change(coins, amount):
    ways = [1] + [0] * amount
    for coin in coins:
        for k in range(coin, amount + 1):
            ways[k] += ways[k - coin]
    return ways[amount]
assert change([1, 5, 10, 25, 50], 100) == 292
def collatz(n):
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps
assert max(range(1, 300), key=collatz) == 231 and collatz(27) == 111
def gcd(a, b):
    while b:
        a, b = b, a % b
    return a
assert gcd(2 ** 40, 6 ** 12) == 4096 and pow(3, 200, 1000007) and (1 << 70) // 3 % 1000 and -7 // 2 == -4
def polynomial(xs, x):
    return sum(c * x ** k for k, c in enumerate(xs))
def root(f, low, high):
    while high - low > 1e-9:
        middle = (low + high) / 2
        if f(low) * f(middle) > 0:
            low = middle
        else:
            high = middle
    return low
assert abs(root(lambda x: polynomial([-2, 0, 1], x), 0.0, 2.0) - 2 ** 0.5) < 1e-6
numbers = [1.5, 2.25, -3.75, 4.0, 10.5]
average = sum(numbers) / len(numbers)
assert round(sum((x - average) ** 2 for x in numbers) / len(numbers), 1) > 20
assert max(numbers) == 10.5 and min(numbers, key=abs) == 1.5 and round(3.14159, 2) == 3.14 and abs(-2.5) == 2.5

class Node:
    def __init__(self, value, left=None, right=None):
        self.value, self.left, self.right = value, left, right
    def insert(self, value):
        if value < self.value:
            if self.left is None:
                self.left = Node(value)
            else:
                self.left.insert(value)
        elif self.right is None:
            self.right = Node(value)
        else:
            self.right.insert(value)
    def __iter__(self):
        if self.left:
            yield from self.left
        yield self.value
        if self.right:
            yield from self.right
tree = Node(250)
for x in data:
    tree.insert(x)
assert list(tree) == sorted(data + [250])
class Account:
    rate = 0.5
    def __init__(self, owner, balance=0):
        self.owner = owner
        self._balance = balance
    @property
    def balance(self):
        return self._balance
    def withdraw(self, amount):
        if amount > self._balance:
            raise ValueError(f"{self.owner} has only {self._balance}")
        self._balance -= amount
    def __eq__(self, other):
        return isinstance(other, Account) and self.owner == other.owner
    def __repr__(self):
        return "Account(%r, %r)" % (self.owner, self._balance)
class Savings(Account):
    def withdraw(self, amount):
        super().withdraw(amount + 1)
account = Savings("Ann", 100)
for amount in [10, 20, 500, 30, 90] * 5:
    try:
        account.withdraw(amount)
    except ValueError as e:
        assert "Ann" in str(e)
assert account.balance <= 100 and account == Account("Ann") and repr(account).startswith("Account")
class Stack(list):
    push = list.append
    def __len__(self):
        return super().__len__()
stack = Stack()
for k in range(50):
    stack.push(k)
while stack:
    stack.pop()

def squares(n):
    for k in range(n):
        yield k * k
assert sum(x for x in squares(200) if x % 2) > 1000
assert list(zip(range(5), squares(5))) and dict(enumerate("abc"))[1] == "b" and list(filter(None, [0, 1, 2])) == [1, 2]
evens, odds = [x for x in data if not x & 1], [x for x in data if x & 1]
assert len(evens) + len(odds) == 120 and {x: x ** 2 for x in evens}[evens[0]] == evens[0] ** 2
assert {x % 10 for x in data} | {11} and set(evens) & set(odds) == set() and sorted(set(data), reverse=True)[0] == max(data)
assert any(x > 500 for x in data) and all(x >= 0 for x in data) and [*range(3), *(4, 5)] == [0, 1, 2, 4, 5]
def unique(xs):
    seen = set()
    return [x for x in xs if not (x in seen or seen.add(x))]
assert unique([1, 2, 1, 3]) == [1, 2, 3] and [1, 2] < [1, 3] and (1, "a") == (1, "a") and {"a": [1, {"b": 2}]} == {"a": [1, {"b": 2}]}
groups = {}
for word in text.split():
    groups.setdefault(len(word), []).append(word)
assert sorted(groups)[0] == 3 and data[::-1][:3] == data[:-4:-1] and data.index(max(data)) >= 0
def rotate(xs, k):
    k %= len(xs)
    return xs[-k:] + xs[:-k]
assert rotate([1, 2, 3, 4], 1) == [4, 1, 2, 3] and [x for row in matrix for x in row][13] == 2
def permutations(xs):
    if len(xs) <= 1:
        yield list(xs)
    for i in range(len(xs)):
        for rest in permutations(xs[:i] + xs[i + 1:]):
            if len(xs) > 1:
                yield [xs[i]] + rest
assert len(list(permutations([1, 2, 3, 4, 5]))) == 120
def queens(n, row=0, columns=(), up=(), down=()):
    if row == n:
        return 1
    return sum(queens(n, row + 1, columns + (c,), up + (row + c,), down + (row - c,)) for c in range(n) if c not in columns and row + c not in up and row - c not in down)
assert queens(5) == 10
def roman(n):
    out = ""
    for value, numeral in [(1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")]:
        while n >= value:
            out += numeral
            n -= value
    return out
assert roman(1994) == "MCMXCIV" and [roman(k) for k in range(1, 100)][8] == "IX"
def compose(*functions):
    def composed(x, **options):
        for f in functions:
            x = f(x)
        return x
    return composed
assert compose(lambda x: x + 1, str, len)(99) == 3
def safe(f, *arguments):
    try:
        return f(*arguments)
    except (ZeroDivisionError, TypeError, KeyError, IndexError) as e:
        return type(e).__name__
    finally:
        arguments = None
assert [safe(lambda a, b: a / b, 1, 0), safe(lambda: {}["x"]), safe(lambda: [][1]), safe(len, 3)] == ["ZeroDivisionError", "KeyError", "IndexError", "TypeError"]
'''

MODULES = '''
import re, collections, itertools, functools, string
assert re.findall(r"[a-z]+(?=,)", "one, two, three") == ["one", "two"] and re.sub(r"\\s+", " ", "a  b\\t c") == "a b c"
assert re.match(r"^([\\w.]+)@([\\w.]+)\\.(\\w{2,4})$", "a.b@c.example.org").group(3) == "org"
assert collections.Counter("mississippi").most_common(1)[0][1] == 4
queue = collections.deque(range(50))
while len(queue) > 1:
    queue.append(queue.popleft() + queue.popleft())
seen = collections.defaultdict(list)
for k in range(100):
    seen[k % 7].append(k)
assert len(list(itertools.combinations(range(8), 3))) == 56 and list(itertools.accumulate([1, 2, 3])) == [1, 3, 6]
@functools.lru_cache(None)
def ways(n):
    return 1 if n < 2 else ways(n - 1) + ways(n - 2)
assert ways(80) and functools.reduce(lambda a, b: a * b, range(1, 20)) == 121645100408832000
assert string.ascii_lowercase.index("e") == 4
'''


def run(source):
    code = compile(source, "program", "exec")
    exec(marshal.loads(marshal.dumps(code)), {"__name__": "__main__"})


for program in PROGRAMS, MODULES:
    for _ in range(3):
        run(program)
    for part in program.split("\ndef ")[1:]:  # most of the time of a small program is compiling
        compile("def " + part, "program", "exec")
