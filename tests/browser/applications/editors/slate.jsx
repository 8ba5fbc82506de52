import React, { useState } from "react";
import { createRoot } from "react-dom/client";
import { createEditor, Node } from "slate";
import { Editable, Slate, withReact } from "slate-react";

const Page = () => {
  const [editor] = useState(() => withReact(createEditor()));
  window.paragraphs = () => editor.children.map((one) => Node.string(one));
  return (
    <Slate editor={editor} initialValue={[{ type: "paragraph", children: [{ text: "" }] }]}>
      <Editable aria-label="Editor" />
    </Slate>
  );
};
createRoot(host).render(<Page />);
