import { $getRoot, createEditor } from "lexical";
import { registerRichText } from "@lexical/rich-text";

const editor = createEditor({ namespace: "Test", onError: (error) => { throw error } });
editor.setRootElement(app);
registerRichText(editor);
window.paragraphs = () => editor.read(() => $getRoot().getChildren().map((one) => one.getTextContent()));
