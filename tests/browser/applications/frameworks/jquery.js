import $ from "jquery";
$(app).html("<div><h1>Posts</h1><p>Ann wrote</p><ul>" + rows.map((row) =>
  `<li><b>${row}: </b><span class=row>${row}</span></li>`).join("") + "</ul></div>");
$(aside).html("<div class=row>Aside</div>"); $(inner).html("<div><em>Inside</em></div>");
$(document).on("click", ".row", (event) => act($(event.currentTarget).text())());
$(inner).on("click", "em", act("Inside"));
