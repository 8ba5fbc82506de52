import React from "react";
import { createPortal } from "react-dom";
import { createRoot } from "react-dom/client";
const start = (at, what) => createRoot(at).render(what);
const Posts = () => <div><h1>Posts</h1><p>Ann wrote</p><ul>{rows.map((row) =>
  <li key={row}><b>{row}: </b><span onClick={act(row)}>{row}</span></li>)}</ul>
  {createPortal(<div onClick={act("Aside")}>Aside</div>, aside)}</div>;
start(app, <Posts />); start(inner, <div><em onClick={act("Inside")}>Inside</em></div>);
