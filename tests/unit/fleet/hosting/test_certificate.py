"""A client trusts exactly the host whose certificate the coordinator gave it."""

from __future__ import annotations

import ssl

import pytest

from tabwarden.fleet.hosting.host import Certificate, fresh_certificate
from tabwarden.fleet.relaying.handshake import CERTIFICATE_NAME


def hand_shake(server: Certificate, trusted: str, name: str = CERTIFICATE_NAME) -> str | None:
    """Do a TLS handshake in memory; return the version."""
    client_context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    client_context.load_verify_locations(cadata=trusted)
    to_client, to_server = ssl.MemoryBIO(), ssl.MemoryBIO()
    client = client_context.wrap_bio(to_client, to_server, server_hostname=name)
    serving = server.context.wrap_bio(to_server, to_client, server_side=True)
    for _ in range(4):
        for side in (client, serving):
            try:
                side.do_handshake()
            except ssl.SSLWantReadError:
                continue
    return client.version()


def test_client_connects_to_the_host_with_the_pinned_certificate() -> None:
    host = fresh_certificate()
    assert hand_shake(host, host.pem) == "TLSv1.3"


def test_client_rejects_another_certificate_and_another_host_name() -> None:
    host, other = fresh_certificate(), fresh_certificate()
    with pytest.raises(ssl.SSLCertVerificationError):
        hand_shake(other, host.pem)
    with pytest.raises(ssl.SSLCertVerificationError):
        hand_shake(host, host.pem, "example.com")


def test_certificate_pem_contains_no_private_key() -> None:
    assert "PRIVATE" not in fresh_certificate().pem
