"""Files that a site serves with a type and a status, among them a PDF with text."""

from __future__ import annotations

from http.server import BaseHTTPRequestHandler

from support.site import Respond

__all__ = ["endless", "file", "pdf_of"]


def file(kind: str, body: bytes, status: int = 200, **headers: str) -> Respond:
    """Answer with these bytes."""

    def respond(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        handler.send_header("Content-Type", kind)
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)

    return respond


def endless(kind: str, piece: bytes, *, most: int) -> Respond:
    """Respond with ``most`` chunks and no end: the connection stays open."""

    def respond(handler: BaseHTTPRequestHandler) -> None:
        handler.close_connection = True
        handler.send_response(200)
        handler.send_header("Content-Type", kind)
        handler.send_header("Transfer-Encoding", "chunked")
        handler.end_headers()
        for _ in range(most):
            handler.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
        handler.connection.recv(1)

    return respond


def pdf_of(*pages: str) -> bytes:
    """A PDF with one line of text per page."""
    kids = " ".join(f"{4 + 2 * at} 0 R" for at in range(len(pages)))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for at, words in enumerate(pages):
        drawn = f"BT /F1 24 Tf 72 700 Td ({words}) Tj ET"
        objects.append(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] "
            f"/Contents {5 + 2 * at} 0 R /Resources << /Font << /F1 3 0 R >> >> >>"
        )
        objects.append(f"<< /Length {len(drawn)} >>\nstream\n{drawn}\nendstream")
    out, places = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, 1):
        places.append(len(out))
        out += f"{number} 0 obj\n{content}\nendobj\n".encode()
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    return (
        out
        + (
            f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}"
            f"trailer << /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{len(out)}\n%%EOF"
        ).encode()
    )
