"""The certificate of a host: made at each start, and known to clients through the coordinator."""

from __future__ import annotations

import datetime
import ssl
import tempfile
from pathlib import Path
from typing import NamedTuple

from tabwarden.fleet.relaying import CERTIFICATE_NAME

_VALID_DAYS = 3650
"""Clients pin the certificate, and a host makes a new one at each start."""


class Certificate(NamedTuple):
    pem: str
    context: ssl.SSLContext


def fresh_certificate() -> Certificate:
    """Make a key and a self-signed certificate, for TLS 1.3 only. The key is never kept."""
    # Slow to import, and only hosts need them.
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.x509.oid import NameOID

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, CERTIFICATE_NAME)])
    today = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(today - datetime.timedelta(days=1))
        .not_valid_after(today + datetime.timedelta(days=_VALID_DAYS))
        .add_extension(
            x509.SubjectAlternativeName([x509.DNSName(CERTIFICATE_NAME)]), critical=False
        )
        .sign(key, hashes.SHA256())
    )
    pem = certificate.public_bytes(serialization.Encoding.PEM)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    with tempfile.TemporaryDirectory() as folder:  # ``ssl`` reads keys only from files
        file = Path(folder) / "both.pem"
        file.touch(mode=0o600)
        file.write_bytes(
            key.private_bytes(
                serialization.Encoding.PEM,
                serialization.PrivateFormat.PKCS8,
                serialization.NoEncryption(),
            )
            + pem
        )
        context.load_cert_chain(file)
    return Certificate(pem.decode(), context)
