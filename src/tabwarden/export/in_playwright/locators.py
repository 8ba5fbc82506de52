"""Write expressions for elements in Playwright, and errors for unsupported steps."""

from __future__ import annotations

from tabwarden.export.steps import Step, Target
from tabwarden.export.writing import call, literal


def locator(page: str, target: Target) -> str:
    """Return the Playwright expression for an element."""
    root = page + "".join(f".frame_locator({literal(css)})" for css in target.frames)
    match target.locators[0]:
        case {"by": "role", "role": role, "name": name}:
            own = call("get_by_role", literal(role), name=literal(name), exact="True")
        case {"by": "role", "role": role}:
            own = call("get_by_role", literal(role))
        case {"by": "test_id", "text": text}:
            own = call("get_by_test_id", literal(text))
        case {"by": "css", "css": css}:
            own = call("locator", literal(str(css).replace(" >>> ", " >> ")))
        case {"by": by, "text": text}:
            own = call(f"get_by_{by}", literal(text), exact="True")
        case other:
            raise ValueError(other)
    return f"{root}.{own}"


def position(target: Target) -> dict[str, str]:
    if target.position is None:
        return {}
    x, y = (round(one, 1) for one in target.position)
    return {"position": literal({"x": x, "y": y})}


def is_at_point(target: Target | None) -> bool:
    return target is not None and not target.locators


def mouse_at(step: Step, action: str, target: Target, **named: str) -> str:
    assert target.point is not None
    return call(f"{step.tab}.mouse.{action}", *map(literal, target.point), **named)


def unknown(step: Step, why: str = "has no counterpart in Playwright") -> list[str]:
    """Return a line that raises an error, so that an unsupported step is not skipped silently."""
    message = f"Step {step.number} ({step.action}) {why}. Write the code here."
    return [f"raise NotImplementedError({literal(message)})"]
