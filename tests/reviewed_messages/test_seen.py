"""The memory of a watch and of an export: it holds a limited number of records."""

from cometchat_rest.reviewed_messages import SeenRecords


def test_memory_is_limited() -> None:
    """The last 10,000 records are remembered, or twice the size of a response if that is more."""
    seen = SeenRecords()
    numbers = [number.to_bytes(16) for number in range(30_000)]
    assert all(map(seen.add, numbers))
    seen.forget(5)
    assert len(seen) == 10_000
    assert not any(map(seen.add, numbers[20_000:]))
    assert seen.add(numbers[0])
    assert not seen.add(numbers[20_000])
    seen.forget(5)
    assert not seen.add(numbers[20_000]), "it was seen again recently"
    assert seen.add(numbers[20_001])
    assert all(map(seen.add, numbers[1:20_000]))
    seen.forget(9_000)
    assert len(seen) == 18_000
