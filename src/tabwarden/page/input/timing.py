"""Time limits of this package, with reasons."""

DRAG_END_MS = 500
"""How long the page may take to see the drop."""
CHECKED_MS = 300
"""How long a checkbox may take to show its new state."""
TAKEN_BACK_MS = 50
"""For this long after we set the focus, a dialog with a focus trap may take it back."""
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
OPTIONS_MS = 1_500
"""How long a widget may take to show its options."""
TYPABLE_OPTIONS_MS = 300
"""The limit for a widget that takes text: it may show no options until text is typed."""
CHOSEN_MS = 300
"""How long a widget may take to show the chosen option."""
CHOOSER_MS = 2_000.0
"""How long after the click a file chooser may take to open."""
LAYOUT_MS = 100.0
"""How long the browser may take to report the page's layout."""
SLID_MS = 150
"""How long a slider may take to show what a key did."""
COVERED_AGAIN_S = 2
"""How long to try again to focus a field whose cover goes away and comes back."""

LONGEST_HOLD_MS = 60_000.0
"""How long a key or a button may be held. A longer hold is two calls."""
TOUCH_RESTS_MS = 120.0
"""A pinch ends with fingers that rest so long, or the page would go on moving."""
TOUCH_STEP_MS = 16.0
"""Between two moves of a finger: a frame of the screen."""
REPEAT_AFTER_MS = 500.0
"""A held key repeats after so long, as keyboards do,"""
REPEAT_MS = 33.0
"""and then so often."""
RECEIVER_MS = 100
"""How long typing waits for the page to say whether the focused field is secret."""
