// The bank: shows the code that it would send to a phone, and approves anyone who enters it.

const payments = document.body.dataset.payments;
const total = new URLSearchParams(location.search).get("total") ?? "€0.00";
const code = String(100000 + (crypto.getRandomValues(new Uint32Array(1))[0] % 900000));

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
