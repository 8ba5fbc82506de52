// The bank: shows the code that it would send to a phone, and approves anyone who enters it.

const payments = document.body.dataset.payments;
const total = new URLSearchParams(location.search).get("total") ?? "€0.00";
// The same payment gets the same code, so that a recording of it can be repeated.
const code = String(100000 + ([...total].reduce((sum, one) => sum * 31 + one.codePointAt(0), 7) % 900000));

document.getElementById("asked").textContent =
  `Approve ${total} to Heron & Kettle. Sent to your phone: ${code}`;

document.getElementById("form").addEventListener("submit", (event) => {
  event.preventDefault();
  if (document.getElementById("code").value !== code) {
    document.getElementById("told").textContent = "That is not the code.";
    return;
  }
  window.parent.postMessage({ kind: "approved" }, payments);
});
