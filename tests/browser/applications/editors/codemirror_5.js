import CodeMirror from "codemirror";
import "codemirror/mode/javascript/javascript";
import "codemirror/addon/edit/closebrackets";

const editor = CodeMirror(host, { mode: "application/json", autoCloseBrackets: true });
editor.getInputField().ariaLabel = "Editor";
window.paragraphs = () => editor.getValue().split("\n");
