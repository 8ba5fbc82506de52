"""Encoding of parameters, decoding of results and events."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from tabwarden.protocol import (
    Command,
    Empty,
    base,
    decode_event,
    decode_result,
    dom,
    encode_params,
    network,
    page,
    repair_surrogates,
    runtime,
    target,
)
from tabwarden.protocol import input as input_


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        (page.Enable(), {}),
        (page.Navigate(url="about:blank"), {"url": "about:blank"}),
        (
            page.Navigate(url="about:blank", frame_id="F", transition_type="link"),
            {"url": "about:blank", "frameId": "F", "transitionType": "link"},
        ),
        (dom.DescribeNode(backend_node_id=7, depth=-1), {"backendNodeId": 7, "depth": -1}),
        (
            target.SetAutoAttach(auto_attach=True, wait_for_debugger_on_start=False, flatten=True),
            {"autoAttach": True, "waitForDebuggerOnStart": False, "flatten": True},
        ),
        (
            input_.DispatchMouseEvent(type="mousePressed", x=1.5, y=2, click_count=1),
            {"type": "mousePressed", "x": 1.5, "y": 2, "clickCount": 1},
        ),
        (
            page.CaptureScreenshot(clip=page.Viewport(x=0, y=0, width=3, height=4, scale=1)),
            {"clip": {"x": 0, "y": 0, "width": 3, "height": 4, "scale": 1}},
        ),
    ],
)
def test_encoded_parameters_are_camel_case_and_omit_unset_fields(
    command: Command[Any], expected: dict[str, Any]
) -> None:
    assert json.loads(encode_params(command)) == expected


def test_encode_params_without_parameters_is_an_empty_object() -> None:
    assert encode_params(page.Enable()) == b"{}"
    assert encode_params(page.Reload()) == b"{}"


def test_optional_argument_can_be_null_or_omitted() -> None:
    null, absent = runtime.CallArgument(value=None), runtime.CallArgument(object_id="1")
    command = runtime.CallFunctionOn(function_declaration="f", arguments=[null, absent])
    assert json.loads(encode_params(command))["arguments"] == [{"value": None}, {"objectId": "1"}]


def test_irregular_field_names_and_keywords_keep_their_protocol_spelling() -> None:
    from tabwarden.protocol import service_worker

    assert json.loads(encode_params(page.PrintToPDF(prefer_css_page_size=True))) == {
        "preferCSSPageSize": True
    }
    condition = service_worker.ServiceWorkerRouterCondition
    names = dict(zip(condition.__struct_fields__, condition.__struct_encode_fields__, strict=True))
    assert names["or_"] == "or"
    assert names["not_"] == "not"


def test_command_without_a_result_decodes_to_an_empty_result() -> None:
    assert decode_result(page.Enable, b"{}") == Empty()
    assert decode_result(page.Enable, b'{"unknown":1}') == Empty()


def test_decode_result_decodes_nested_nodes() -> None:
    def node(node_id: int, *children: dict[str, Any]) -> dict[str, Any]:
        named = {"nodeName": "DIV", "localName": "div", "nodeValue": "", "nodeType": 1}
        return {"nodeId": node_id, "backendNodeId": node_id, **named, "children": list(children)}

    reply = json.dumps({"root": node(1, node(2, node(3)), node(4))}).encode()
    root = decode_result(dom.GetDocument, reply).root
    assert root.children is not None
    assert [child.backend_node_id for child in root.children] == [2, 4]
    assert root.children[0].children is not None
    assert root.children[0].children[0].node_id == 3


def test_decode_event_decodes_nested_frames_from_a_raw_slice() -> None:
    def tree(frame: str, *children: dict[str, Any]) -> dict[str, Any]:
        required = {
            "id": frame,
            "loaderId": "L",
            "url": "about:blank",
            "domainAndRegistry": "",
            "securityOrigin": "://",
            "mimeType": "text/html",
            "secureContextType": "Secure",
            "crossOriginIsolatedContextType": "NotIsolated",
            "gatedAPIFeatures": [],
        }
        return {"frame": required, "childFrames": list(children)}

    raw = msgspec.Raw(json.dumps({"frameTree": tree("A", tree("B", tree("C")))}).encode())
    top = decode_result(page.GetFrameTree, raw).frame_tree
    assert top.child_frames is not None
    assert top.child_frames[0].child_frames is not None
    assert top.child_frames[0].child_frames[0].frame.id == "C"
    assert top.frame.parent_id is None


def test_decode_event_decodes_stack_traces_with_parents() -> None:
    stack = {"callFrames": [], "parent": {"callFrames": [], "parent": {"callFrames": []}}}
    details = {"exceptionId": 1, "text": "Uncaught", "lineNumber": 0, "columnNumber": 0}
    event = {"timestamp": 1, "exceptionDetails": {**details, "stackTrace": stack}}
    thrown = decode_event(runtime.ExceptionThrown, json.dumps(event).encode())
    trace = thrown.exception_details.stack_trace
    assert trace is not None
    assert trace.parent is not None
    assert trace.parent.parent == runtime.StackTrace(call_frames=[])


def test_decode_event_accepts_an_event_from_another_protocol_version() -> None:
    raw = (
        b'{"requestId":"1","timestamp":5,"type":"TypeFromTheFuture","errorText":"x",'
        b'"blockedReason":"also-new","inventedField":{"deep":[1]}}'
    )
    failed = decode_event(network.LoadingFailed, raw)
    assert failed.type == "TypeFromTheFuture"
    assert failed.blocked_reason == "also-new"
    assert failed.canceled is None
    assert isinstance(failed.timestamp, float)


def test_integer_field_accepts_a_whole_float_and_rejects_a_fraction() -> None:
    raw = b'{"requestId":"1","timestamp":1.0,"dataLength":3.0,"encodedDataLength":4}'
    assert decode_event(network.DataReceived, raw).data_length == 3
    with pytest.raises(msgspec.ValidationError, match="dataLength"):
        decode_event(network.DataReceived, raw.replace(b"3.0", b"3.5"))


def test_decode_result_rejects_an_invalid_structure() -> None:
    with pytest.raises(msgspec.ValidationError, match="data"):
        decode_result(page.CaptureScreenshot, b"{}")
    with pytest.raises(msgspec.DecodeError):
        decode_result(page.CaptureScreenshot, b'{"data":')


def test_message_with_an_unpaired_surrogate_is_decoded() -> None:
    raw = rb'{"result":{"type":"string","value":"a\ud83d b\ude00 \ud83d\ude00 \\ud83d"}}'
    value = decode_result(runtime.Evaluate, raw).result.value
    assert value == "a\ufffd b\ufffd \U0001f600 \\ud83d"


@pytest.mark.parametrize(
    ("raw", "repaired"),
    [
        (rb'"\uD800"', rb'"\ufffd"'),
        (rb'"\ud800\ud800\udc00"', rb'"\ufffd\ud800\udc00"'),
        (rb'"\\\udc00\n"', rb'"\\\ufffd\n"'),
        (rb'"\ud800\u0041"', rb'"\ufffd\u0041"'),
        (rb'"\ud7ff\ue000 plain"', rb'"\ud7ff\ue000 plain"'),
    ],
)
def test_decoding_replaces_only_unpaired_surrogates(raw: bytes, repaired: bytes) -> None:
    assert repair_surrogates(raw) == repaired


def test_decode_event_builds_each_decoder_once() -> None:
    decode_event(page.LoadEventFired, b'{"timestamp":1}')
    made = base._STRICT[page.LoadEventFired]
    decode_event(page.LoadEventFired, b'{"timestamp":2}')
    assert base._STRICT[page.LoadEventFired] is made


def test_protocol_commands_are_immutable() -> None:
    with pytest.raises(AttributeError):
        page.Navigate(url="a").url = "b"  # type: ignore[misc]
