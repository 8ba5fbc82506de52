// Shows a trace: its calls, and the selected call's details and screenshot. Texts from
// pages are inserted as text only.

async function start() {
  const records = await (await fetch("trace.json")).json();
  const of = (type) => records.filter((record) => record.type === type);
  const calls = of("call");
  const pictures = of("picture");
  const list = document.getElementById("calls");
  document.getElementById("title").textContent = `Trace of ${records[0].task}`;
  for (const call of calls) {
    const button = document.createElement("button");
    const by = call.by ? `${call.by}: ` : ""; // a person did it
    button.textContent = `${call.number}. ${by}${call.action} ${call.element?.name ?? call.arguments.reason ?? call.url ?? ""}`;
    if (call.status === "failed") button.className = "failed";
    button.addEventListener("click", () => show(call, button));
    const item = document.createElement("li");
    item.append(button);
    list.append(item);
  }
  list.querySelector("button")?.click();

  function show(call, button) {
    list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    button.setAttribute("aria-current", "true");
    const { type, ...told } = call;
    document.getElementById("details").textContent = JSON.stringify(told, null, 2);
    const own = pictures.filter((one) => one.tab_id === call.tab_id);
    const picture = own.find((one) => one.at >= call.ended) ?? own.at(-1);
    const image = document.getElementById("picture");
    image.hidden = !picture;
    if (picture) image.src = picture.file;
  }
}

start();
