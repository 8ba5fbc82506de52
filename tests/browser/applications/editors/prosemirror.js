import { baseKeymap } from "prosemirror-commands";
import { keymap } from "prosemirror-keymap";
import { schema } from "prosemirror-schema-basic";
import { EditorState } from "prosemirror-state";
import { EditorView } from "prosemirror-view";

const state = EditorState.create({ schema, plugins: [keymap(baseKeymap)] });
const view = new EditorView(host, { state, attributes: { "aria-label": "Editor", role: "textbox" } });
window.paragraphs = () => view.state.doc.content.content.map((one) => one.textContent);
