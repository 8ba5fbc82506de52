import { mount } from "svelte"; 
mount(Posts, { target: app }); mount(Posts, { target: aside, props: { only: "Aside" } });
mount(Posts, { target: inner, props: { only: "Inside" } });
