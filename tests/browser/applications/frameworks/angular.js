import "@angular/compiler";
import { Component, provideZonelessChangeDetection } from "@angular/core";
import { createApplication } from "@angular/platform-browser";
const part = (template) => Component({ selector: "x-part", template })(
  class { rows = rows; act = (name) => act(name)() });
createApplication({ providers: [provideZonelessChangeDetection()] }).then((application) => {
  for (const [at, template] of [[app, `<h1>Posts</h1><p>Ann wrote</p><ul>@for (row of rows; track row)
    {<li><b>{{row}}: </b><span (click)="act(row)">{{row}}</span></li>}</ul>`],
    [aside, `<div (click)="act('Aside')">Aside</div>`], [inner, `<em (click)="act('Inside')">Inside</em>`]])
    application.bootstrap(part(template), at);
});
