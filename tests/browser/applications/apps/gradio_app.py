"""A Gradio application that shows its widgets' values; its port is the argument."""

from __future__ import annotations

import json
import sys

import gradio as gr

FRUIT = ["Apple", "Banana", "Cherry", "Lemon", "Orange"]
with gr.Blocks() as page:
    widgets = {
        "one": gr.Dropdown(FRUIT, label="Fruit", value=None),
        "many": gr.Dropdown(FRUIT, label="Fruits", multiselect=True),
        "own": gr.Dropdown(FRUIT, label="Own", allow_custom_value=True, value=None),
        "volume": gr.Slider(0, 100, 3, step=1, label="Volume"),
        "count": gr.Number(1, label="Count"),
        "name": gr.Textbox(label="Name"),
        "picked": gr.Radio(FRUIT, label="Pick"),
        "agreed": gr.Checkbox(label="Agree"),
    }
    held = gr.Textbox(label="Held", elem_id="held")
    for widget in widgets.values():
        widget.change(
            lambda *now: json.dumps(dict(zip(widgets, now, strict=True))),
            [*widgets.values()],
            held,
        )
page.launch(server_name="127.0.0.1", server_port=int(sys.argv[1]), quiet=True)
