"""A TLS server on localhost with a certificate from the test's certificate authority."""

from __future__ import annotations

import datetime
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import NamedTuple

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID


class TlsSite(NamedTuple):
    port: int
    authority: Path
    """The authority's certificate, as PEM."""
    chain: Path
    """The server's certificate and key, as PEM."""


@contextmanager
def tls_site(folder: Path) -> Iterator[TlsSite]:
    """Serve a page at ``https://localhost:port/``."""
    ours, own = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    authority = _certificate("Authority", ours, ours, x509.BasicConstraints(ca=True, path_length=0))
    names = x509.SubjectAlternativeName([x509.DNSName("localhost")])
    server = _certificate("localhost", own, ours, names)
    key = own.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    pem = folder / "authority.pem"
    pem.write_bytes(b"A comment.\n" + authority.public_bytes(serialization.Encoding.PEM))
    chain = folder / "server.pem"
    chain.write_bytes(server.public_bytes(serialization.Encoding.PEM) + key)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            """Log nothing."""

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, request: object, client_address: object) -> None:
            """A browser that disconnects is not an error of the test."""

    listening = Server(("127.0.0.1", 0), Handler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(chain)
    listening.socket = context.wrap_socket(
        listening.socket, server_side=True, do_handshake_on_connect=False
    )
    thread = threading.Thread(target=listening.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield TlsSite(listening.server_address[1], pem, chain)
    finally:
        listening.shutdown()
        listening.server_close()
        thread.join()


def _certificate(
    name: str,
    key: ec.EllipticCurvePrivateKey,
    issuer: ec.EllipticCurvePrivateKey,
    extension: x509.ExtensionType,
) -> x509.Certificate:
    def named(text: str) -> x509.Name:
        return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])

    now = datetime.datetime.now(datetime.UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(named(name))
        .issuer_name(named("Authority"))
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=30))
        .add_extension(extension, critical=False)
        .sign(issuer, hashes.SHA256())
    )
