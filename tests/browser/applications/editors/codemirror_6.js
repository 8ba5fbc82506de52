import { EditorView, basicSetup } from "codemirror";
import { json } from "@codemirror/lang-json";

const view = new EditorView({ parent: host, extensions: [basicSetup, json()] });
view.contentDOM.ariaLabel = "Editor";
window.paragraphs = () => view.state.doc.toString().split("\n");
