"""Time limits of this package, with reasons."""

DRAG_END_MS = 500
"""How long the page may take to see the drop."""
DRAG_HOLD_MS = 400
"""How long to hold the button if a drag did nothing. Libraries begin one after 100 to 300 ms."""
MOUSE_CAME_MS = 60.0
"""How long a mouse move may take to reach a frame in another process."""
GUARD_ANSWER_MS = 20.0
"""How long to wait for the guard's answer. It arrives right after the press's reply, or never."""
RESTS_MS = 100
"""How long an element that a press missed must rest under the mouse before the next press."""
RESTED_MS = 600
"""How long to wait for that. Some elements run away from the mouse."""
SCROLL_STARTS_MS = 150
"""How long after a wheel event scrolling may start."""
LAYOUT_MS = 100.0
"""How long the browser may take to report the page's layout."""
TOUCH_RESTS_MS = 120.0
"""A pinch ends with fingers that rest so long, or the page would go on moving."""
TOUCH_STEP_MS = 16.0
"""Between two moves of a finger: a frame of the screen."""
TOUCHED_MS = 500.0
"""How long a page may take to handle a touch. A tab that takes no input never answers a touch."""
