"""Charts as SVG that fits any width, with their words beside them as HTML."""

from collections.abc import Mapping, Sequence

from .markup import markup

# The style sheet has a colour for each of these classes. The colours have a contrast of at least 3:1 with the light and
# the dark page. They differ in brightness, so that they also differ on paper and for people who do not see colours.
COLOURS = ("c0", "c1", "c2", "c3", "c4", "c5")


def bar(parts: Sequence[int], largest: int) -> str:
    """Draw a horizontal bar of parts from left to right; `largest` is the size of the longest bar in the table."""
    starts = [sum(parts[:number]) for number in range(len(parts))]
    rects = (
        f'<rect class="{colour}" x="{start}" width="{size}" height="1"/>'
        for colour, start, size in zip(COLOURS, starts, parts, strict=False)
    )
    return _svg("bar", largest, 1, "".join(rects))


def columns(days: Mapping[str, Mapping[str, int]]) -> str:
    """Draw the numbers of each day by name as stacked columns, with a legend and the first and the last day."""
    names = list(dict.fromkeys(name for counts in days.values() for name in sorted(counts)))
    colours = {name: COLOURS[number % len(COLOURS)] for number, name in enumerate(names)}
    largest = max(sum(counts.values()) for counts in days.values())
    rects: list[str] = []
    for place, counts in enumerate(days.values()):
        top = largest
        for name in filter(counts.__contains__, names):
            top -= counts[name]
            rects.append(
                f'<rect class="{colours[name]}" x="{place + 0.1}" y="{top}" width="0.8" height="{counts[name]}"/>'
            )
    legend = "".join(f'<li><i class="{colour}"></i>{markup(name)}</li>' for name, colour in colours.items())
    first, last = min(days), max(days)
    return (
        f'<ul class="legend" aria-hidden="true">{legend}</ul><p class="muted axis">{largest:,} messages</p>'
        f"{_svg('columns', len(days), largest, ''.join(rects))}"
        f'<p class="muted axis"><span>{markup(first)}</span><span>{markup(last if last != first else "")}</span></p>'
    )


def _svg(kind: str, width: int, height: int, content: str) -> str:
    # A table has the same numbers, so a screen reader skips the drawing.
    return (
        f'<svg class="{kind}" viewBox="0 0 {max(width, 1)} {max(height, 1)}" preserveAspectRatio="none" '
        f'aria-hidden="true">{content}</svg>'
    )
