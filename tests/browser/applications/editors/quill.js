import Quill from "quill";

const quill = new Quill(host);
quill.root.ariaLabel = "Editor";
quill.root.role = "textbox";
window.paragraphs = () => quill.getText().replace(/\n$/, "").split("\n");
