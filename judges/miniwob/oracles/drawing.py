"""Tasks that have to be seen: an oracle looks at the picture, and acts at points."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from itertools import groupby
from statistics import fmean

from PIL import ImageFilter

from judges.miniwob.nodes import Beside, NotShown, Point
from judges.miniwob.oracles.registry import oracle, said
from judges.miniwob.picture import QUERY, Blob, Color, Picture
from judges.miniwob.tools.tool import Refused
from judges.miniwob.verbs import Page

COLORS: dict[str, Color] = {
    "red": (255, 0, 0), "green": (0, 128, 0), "blue": (0, 0, 255), "aqua": (0, 255, 255),
    "black": (0, 0, 0), "magenta": (255, 0, 255), "yellow": (255, 255, 0),
}  # fmt: skip
STEPS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}


def is_dark(color: Color) -> bool:
    return sum(color) < 380


def is_white(color: Color) -> bool:
    return min(color) > 250


def is_drawn(color: Color) -> bool:
    return min(color) < 250


def is_like(wanted: Color) -> Callable[[Color], bool]:
    return lambda color: max(abs(a - b) for a, b in zip(color, wanted, strict=True)) < 40


@oracle("drag-circle", "drag-single-shape")
async def drag_some_way(page: Page) -> None:
    (way,) = said(r"(left|right|up|down) then press", page.goal)
    outline = await page.look()
    dx, dy = STEPS[way]
    try:
        shape = outline.find(where=lambda one: "svg" in one.states)
        await page.drag(shape, Beside(shape, 15 * dx, 15 * dy))
    except (NotShown, Refused):
        await _drag_seen(page, 15 * dx, 15 * dy)
    await page.click(outline.find("button", "Submit"))


async def _drag_seen(page: Page, right: float, down: float) -> None:
    picture = await page.picture()
    # A shape has a black edge, whatever its color, so all that is inside the edge is one blob.
    shapes = picture.blobs(lambda color: not is_white(color), bottom=150, least=20)
    shape = max(shapes, key=lambda one: one.width * one.height)
    start = Point(shape.center.x, shape.top + shape.height * 0.6)
    await page.drag(start, Point(start.x + right, start.y + down))


@oracle("hot-cold")
async def find_hot(page: Page) -> None:
    """Each reading says how far the place is: what does not fit all readings is ruled out."""
    ranges = {"HOT": (0, 5), "WARM": (5, 10), "COLD": (10, 40), "ICE COLD": (40, 999)}
    places = [(x, y) for x in range(6, 154, 2) for y in range(56, 170, 2)]
    await page.look()
    for _ in range(25):
        x, y = places[len(places) // 2]
        outline = await page.hover(Point(x, y), look=True)
        shown = next((text for text in outline.texts if text in ranges), "ICE COLD")
        if shown == "HOT":
            await page.click(Point(x, y))
            return
        least, most = ranges[shown]
        places = [
            one for one in places
            if least - 1 <= math.dist(one, (x, y)) <= most + 1 and one != (x, y)
        ]  # fmt: skip
        if not places:
            raise NotShown("no place fits what the page said")


@oracle("grid-coordinate")
async def click_coordinate(page: Page) -> None:
    x, y = (int(one) for one in said(r"\((-?\d),(-?\d)\)", page.goal))
    outline = await page.look()
    if named := outline.all(where=lambda one: f"({x},{y})" in str((one.label, one.states))):
        await page.click(named[0])
        return
    dots = (await page.picture()).blobs(is_like((0, 0, 255)), least=20)
    left, top = min(one.center.x for one in dots), min(one.center.y for one in dots)
    right, low = max(one.center.x for one in dots), max(one.center.y for one in dots)
    await page.click(Point(left + (x + 2) * (right - left) / 4, top + (2 - y) * (low - top) / 4))


@oracle("highlight-text", "highlight-text-2")
async def select_paragraph(page: Page) -> None:
    """A triple click selects a paragraph."""
    number = int((re.findall(r"(\d)\w\w paragraph", page.goal) or ["1"])[0])
    outline = await page.look()
    texts = [one for one in outline if one.label and one.label != "Submit"]
    paragraphs = [one for one in texts if one.role == "text"] or texts
    try:
        await page.click(await page.find(paragraphs[number - 1]), count=3)
    except Refused:
        await _select_seen(page, number)
    await page.click(outline.find("button", "Submit"))


async def _select_seen(page: Page, number: int) -> None:
    lines = _text_lines(await page.picture())
    tops = [line for at, line in enumerate(lines) if not at or line.top - lines[at - 1].top > 15]
    line = tops[number - 1]
    await page.click(Point(line.left + 8, line.top + 4), count=3)


def _text_lines(picture: Picture) -> list[Blob]:
    """Lines of text on white ground, without the button's."""
    letters = [
        one
        for one in picture.blobs(is_dark, least=3)
        if one.width < 20 and is_white(picture.color(max(one.left - 2, 0), one.top))
        and one.height > 4
    ]  # fmt: skip
    lines = []
    for _, group in groupby(
        sorted(letters, key=lambda one: one.bottom), lambda one: one.bottom // 6
    ):
        some = list(group)
        if len(some) > 3:
            lines.append(
                Blob(
                    min(one.left for one in some), min(one.top for one in some),
                    max(one.right for one in some), max(one.bottom for one in some), len(some),
                )
            )  # fmt: skip
    return [line for at, line in enumerate(lines) if not at or line.top - lines[at - 1].top > 5]


@oracle("resize-textarea")
async def resize(page: Page) -> None:
    dimension, way = said(r"so that the (width|height) is (smaller|larger)", page.goal)
    outline = await page.look()
    picture = await page.picture()
    edges = [one for one in picture.blobs(is_drawn, least=30) if one.width < 3]
    if not edges:
        raise NotShown("no frame of a text area in the picture")
    edge = max(edges, key=lambda one: one.right)
    corner = Point(edge.right - 5, edge.bottom - 5)
    by = 12 if way == "larger" else -12
    goal = (
        Point(corner.x + by, corner.y) if dimension == "width" else Point(corner.x, corner.y + by)
    )
    await page.drag(corner, goal)
    await page.click(outline.find("button", "Submit"))


@oracle("count-sides")
async def count_sides(page: Page) -> None:
    """A corner is where the edge is farthest from the center."""
    outline = await page.look()
    picture = await page.picture()
    polygon = max(picture.blobs(is_dark, least=50), key=lambda one: one.width * one.height)
    middle = _middle(picture, polygon)
    sizes = []
    for angle in range(0, 360, 3):
        way = math.radians(angle)
        radius = 45.0
        while radius > 5 and not is_dark(
            picture.color(
                round(middle.x + radius * math.cos(way)), round(middle.y + radius * math.sin(way))
            )
        ):
            radius -= 0.25
        sizes.append(radius)
    sides = max(range(3, 8), key=lambda n: _wave(sizes, n))
    await page.click(outline.find("button", str(sides)))


def _middle(picture: Picture, polygon: Blob) -> Point:
    """The mean of the pixels of the edge."""
    dark = [
        (x, y)
        for x in range(polygon.left, polygon.right + 1)
        for y in range(polygon.top, polygon.bottom + 1)
        if is_dark(picture.color(x, y))
    ]
    return Point(sum(x for x, _ in dark) / len(dark), sum(y for _, y in dark) / len(dark))


def _wave(sizes: list[float], times: int) -> float:
    """How strongly the sizes go up and down so many times around."""
    angles = [2 * math.pi * times * at / len(sizes) for at in range(len(sizes))]
    return math.hypot(
        sum(size * math.cos(angle) for size, angle in zip(sizes, angles, strict=True)),
        sum(size * math.sin(angle) for size, angle in zip(sizes, angles, strict=True)),
    )


@oracle("identify-shape")
async def identify_shape(page: Page) -> None:
    outline = await page.look()
    before = [one for one in outline if one.order < outline.find("button").order]
    text = next((one.label for one in before if one.label), "")
    tag = next((one.states["svg"] for one in before if "svg" in one.states), "").split(" ")[0]
    if len(text) == 1:
        kind = "Number" if text.isdigit() else "Letter"
    else:
        kind = _TAGS.get(tag) or await _shape_in(page)
    await page.click(outline.find("button", kind))


_TAGS = {"rect": "Rectangle", "circle": "Circle", "ellipse": "Circle", "polygon": "Triangle"}
"""What the shapes of a drawing are called there, if they have three or four corners."""


async def _shape_in(page: Page) -> str:
    picture = await page.picture()
    shapes = [one for color in COLORS.values() for one in picture.blobs(is_like(color), bottom=120)]
    return shape_of(max(shapes, key=lambda one: one.count))


def shape_of(shape: Blob) -> str:
    if shape.fill > 0.92:
        return "Rectangle"
    return "Circle" if shape.fill > 0.68 else "Triangle"


@oracle("use-colorwheel-2")
async def enter_color(page: Page) -> None:
    outline = await page.look()
    picture = await page.picture()
    patches = picture.blobs(
        lambda color: not is_like((255, 255, 0))(color), top=1, bottom=48, least=60
    )
    patch = max(patches, key=lambda one: one.count)
    color = picture.color(round(patch.center.x), round(patch.center.y))
    await page.type(outline.find("textbox"), "{:02X}{:02X}{:02X}".format(*color))
    await page.press("Enter")
    await page.click(outline.find("button", "Submit"))


@oracle("visual-addition")
async def add_blocks(page: Page) -> None:
    outline = await page.look()
    picture = await page.picture()
    blocks = picture.blobs(
        lambda color: color[2] > 200 and color[2] - color[0] > 60, bottom=160, least=30
    )
    await page.type(outline.find("textbox"), str(len(blocks)))
    await page.click(outline.find("button", "Submit"))


@oracle("draw-line")
async def draw_line(page: Page) -> None:
    outline = await page.look()
    right, down = (0, 28) if "vertical" in page.goal else (28, 0)
    try:
        dot = outline.find(where=lambda one: one.states.get("svg", "").startswith("circle"))
        await page.drag(dot, Beside(dot, 2 * right, 2 * down))
    except (NotShown, Refused):
        (seen,) = (await page.picture()).blobs(is_like((128, 0, 128)), least=20)[:1]
        x, y = seen.center.x, seen.center.y
        await page.drag(Point(x - right, y - down), Point(x + right, y + down))
    await page.click(outline.find("button", "Submit"))


@oracle("draw-circle")
async def draw_circle(page: Page) -> None:
    outline = await page.look()
    (dot,) = (await page.picture()).blobs(is_like(COLORS["green"]), least=10)
    start, *others = [
        Point(dot.center.x + 16 * math.cos(turn), dot.center.y + 16 * math.sin(turn))
        for turn in (2 * math.pi * at / 24 for at in range(25))
    ]
    await page.drag(start, others[-1], along=others[:-1])
    await page.click(outline.find("button", "Submit"))


@oracle("circle-center")
async def click_center(page: Page) -> None:
    """The page compares with a place between pixels, so that its best reward is 0.98."""
    outline = await page.look()
    told = outline.all(ref=True, where=lambda one: one.states.get("svg", "").startswith("circle"))
    if told:
        await page.click(told[0])
    else:
        blobs = (await page.picture()).blobs(is_dark, bottom=180)
        await page.click(
            max((one for one in blobs if one.fill < 0.3), key=lambda one: one.count).center
        )
    await page.click(outline.find("button", "Submit"))


@oracle("bisect-angle")
async def bisect_angle(page: Page) -> None:
    """Hardly any whole pixel lies exactly on the bisector, which alone gives 1.0."""
    outline = await page.look()
    picture = await page.picture()
    blue = picture.mask(is_like(COLORS["blue"]), bottom=182).getbbox()
    black = picture.mask(is_like(COLORS["black"]), bottom=182).filter(ImageFilter.MinFilter(3))
    ink = [(at % black.width, at // black.width) for at, dark in enumerate(black.getdata()) if dark]
    if blue is None or not ink:
        raise NotShown("no dots in the picture")
    groups = [
        [one for one in ink if (math.dist(one, ink[0]) < 9) == near] for near in (True, False)
    ]
    x, y = (blue[0] + blue[2] - 1) / 2, (blue[1] + blue[3] - 1) / 2
    ways = []
    for group in groups:
        right, down = fmean(one[0] for one in group) - x, fmean(one[1] for one in group) - y
        ways.append((right / math.hypot(right, down), down / math.hypot(right, down)))
    right, down = ways[0][0] + ways[1][0], ways[0][1] + ways[1][1]
    far = 25 / math.hypot(right, down)
    await page.click(Point(round(x + far * right), round(QUERY + y + far * down)))
    await page.click(outline.find("button", "Submit"))


@oracle("find-midpoint")
async def click_midpoint(page: Page) -> None:
    outline = await page.look()
    one, other = (await page.picture()).disk(is_dark, bottom=175)[:2]
    await _put_dot(page, Point(round((one.x + other.x) / 2), round((one.y + other.y) / 2)))
    await page.click(outline.find("button", "Submit"))


async def _put_dot(page: Page, wanted: Point, others: Sequence[Point] = ()) -> None:
    """Click, see where the blue dot is, and click again if it is not there yet."""
    await page.click(wanted)
    dots = (await page.picture()).disk(is_like((0, 0, 255)), bottom=175)
    fresh = [one for one in dots if all(math.dist((one.x, one.y), (x.x, x.y)) > 4 for x in others)]
    if fresh and (round(fresh[0].x), round(fresh[0].y)) != (wanted.x, wanted.y):
        off_x, off_y = round(fresh[0].x - wanted.x), round(fresh[0].y - wanted.y)
        await page.click(Point(max(wanted.x - off_x, 1), wanted.y - off_y))


@oracle("right-angle")
async def add_right_angle(page: Page) -> None:
    """The point of whole pixels whose line to the blue point is nearest to a right angle."""
    outline = await page.look()
    picture = await page.picture()
    ends = picture.disk(lambda color: max(color) < 120, bottom=178)
    corners = picture.disk(is_like((0, 0, 255)), bottom=178)
    if not ends or not corners:
        raise NotShown("a point is hidden behind the button")
    end, corner = ends[0], corners[0]
    dx, dy = end.x - corner.x, end.y - corner.y

    def turn(place: tuple[int, int]) -> tuple[float, float]:
        x, y = place[0] - corner.x, place[1] - corner.y
        length = math.hypot(x, y)
        return round(abs(dx * x + dy * y) / length / math.hypot(dx, dy), 2), -length

    places = [
        (x, y) for x in range(3, 151) for y in range(54, 174)
        if math.dist((x, y), (corner.x, corner.y)) > 9
    ]  # fmt: skip
    await _put_dot(page, Point(*min(places, key=turn)), [corner])
    await page.click(outline.find("button", "Submit"))


@oracle("number-checkboxes")
async def draw_number(page: Page) -> None:
    """The example has a white field for each box to check."""
    outline = await page.look()
    boxes = outline.all("checkbox", ref=True)
    picture = await page.picture()
    frame = max(
        picture.blobs(is_dark, bottom=190, least=200), key=lambda one: one.width * one.height
    )
    for at, box in enumerate(boxes):
        row, column = divmod(at, 4)
        x = frame.left + 2 + (column + 0.5) * (frame.width - 4) / 4
        y = frame.top + 2 + (row + 0.5) * (frame.height - 4) / 7
        if is_white(picture.color(round(x), round(y))):
            await page.click(box)
    await page.click(outline.find("button", "Submit"))
