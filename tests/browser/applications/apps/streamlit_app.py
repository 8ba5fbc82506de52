"""A Streamlit application that shows its widgets' values."""

from __future__ import annotations

import datetime
import json

import streamlit as st

FRUIT = ["Apple", "Banana", "Cherry", "Lemon", "Orange"]
held = {
    "one": st.selectbox("Fruit", FRUIT),
    "many": st.multiselect("Fruits", FRUIT),
    "volume": st.slider("Volume", 0, 100, 3),
    "range": st.slider("Between", 0, 100, (20, 60)),
    "size": st.select_slider("Size", ["S", "M", "L", "XL"]),
    "count": st.number_input("Count", 0, 100, 1),
    "name": st.text_input("Name"),
    "day": st.date_input("Day", datetime.date(2026, 1, 2)),
    "hour": st.time_input("Hour", datetime.time(8, 45)),
    "notes": st.text_area("Notes"),
    "agreed": st.checkbox("Agree"),
    "picked": st.radio("Pick", FRUIT),
}
st.code(json.dumps(held, default=str), language=None)
