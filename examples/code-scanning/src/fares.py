"""Fares of the ferry."""


def fare(age: int, bicycle: bool = False) -> float:
    price = 2.5 if age < 18 else 5.0
    return price + 1.5 if bicycle else price
