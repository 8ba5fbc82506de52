"""A fleet's secrets: Ray's token, and the certificates for Ray's own connections.

These secrets are in one folder, which the first ``tabwarden fleet up`` creates. The user copies
that folder to the machines that join. Ray accepts only processes that have the token. TLS is on if
the folder contains a certificate authority. ``up`` creates the authority if the head listens on an
address that other machines can reach.
"""

from __future__ import annotations

import datetime
import hashlib
import ipaddress
import os
import secrets
import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from platformdirs import user_data_path

from tabwarden.errors import InvalidArgument
from tabwarden.files.plain_file import read_plain_file
from tabwarden.files.secret_file import is_private, kept_secret

_TOKEN, _CA, _CA_KEY = "ray.token", "ca.pem", "ca.key"
_VALID_DAYS = 3650


def secrets_folder() -> Path:
    """Return the secrets folder: ``TABWARDEN_FLEET_SECRETS``, or else a folder in the user's data
    folder.
    """
    named = os.environ.get("TABWARDEN_FLEET_SECRETS")
    return Path(named).expanduser() if named else user_data_path("tabwarden") / "fleet"


def use_secrets(listen: str | None = None, *, make: bool = False) -> None:
    """Set Ray's environment variables for this process and its children.

    Args:
        listen: this machine's address in the cluster; None for a client.
        make: whether to create missing secrets.

    Raises:
        InvalidArgument: a file can't be read or written, or ``listen`` is not an IP address.
    """
    # Without this, if `uv run` started this program, Ray would pack the working folder and rebuild
    # the environment on each node. Our actors don't need that.
    os.environ.setdefault("RAY_ENABLE_UV_RUN_RUNTIME_ENV", "0")
    folder = secrets_folder()
    address = None if listen is None else _address(listen)
    with _explained(folder):
        if make:
            _refuse_read_token(folder / _TOKEN)
            kept_secret(folder / _TOKEN, _new_token)
            if address is not None and not address.is_loopback:
                _make_authority(folder)
        if (folder / _TOKEN).exists():
            _tell_ray(folder, listen)


def need_secrets() -> None:
    """Check that this machine has a fleet's secrets before it joins.

    Raises:
        InvalidArgument: the secrets are missing.
    """
    folder = secrets_folder()
    if not (folder / _TOKEN).exists() and "RAY_AUTH_MODE" not in os.environ:
        raise InvalidArgument(
            f"This machine does not have the fleet's secrets: {folder / _TOKEN} is missing.",
            "Copy ray.token, ca.pem and ca.key there from the head's secrets folder, which "
            "`tabwarden fleet up` prints on the head. Or set TABWARDEN_FLEET_SECRETS to a folder.",
            field="TABWARDEN_FLEET_SECRETS",
        )


def make_secrets(listen: str | None = None, names: Sequence[str] = ()) -> Path:
    """Create missing secrets; return their folder.

    Args:
        listen: this machine's address in the cluster, for its certificate; None to create only the
            token and the certificate authority, which all machines share.
        names: DNS names under which other machines reach this machine, for its certificate.

    Raises:
        InvalidArgument: a file can't be read or written, or ``listen`` is not an IP address.
    """
    folder = secrets_folder()
    if listen is not None:
        _address(listen)
    with _explained(folder):
        kept_secret(folder / _TOKEN, _new_token)
        _make_authority(folder)
        if listen is not None:
            _certificate_for(folder, [listen], names)
    return folder


def _address(listen: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    try:
        return ipaddress.ip_address(listen)
    except ValueError:
        raise InvalidArgument(
            f"{listen!r} is not an IP address.",
            "Set --listen or fleet.listen to this machine's IP address in the fleet's network.",
            field="fleet.listen",
        ) from None


@contextmanager
def _explained(folder: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError, TypeError) as error:  # TypeError: a key with a password
        raise InvalidArgument(
            f"The fleet's secrets in {folder} can't be used: {error}.",
            "Copy ray.token, ca.pem and ca.key there from the head's folder, or set "
            "TABWARDEN_FLEET_SECRETS to another folder.",
            field="TABWARDEN_FLEET_SECRETS",
        ) from None


def _refuse_read_token(token: Path) -> None:
    """Reject a token that other users can read. We don't replace the token, because a new token
    would exclude this machine from its fleet.
    """
    if token.exists() and not is_private(token):
        raise InvalidArgument(
            f"Other users of this machine can read the fleet's token, {token}.",
            f"If you trust them, run: chmod -R go= {token.parent}. Otherwise stop the fleet on all "
            f"machines, delete {token.parent} on each, and set it up again.",
            field="TABWARDEN_FLEET_SECRETS",
        )


def _new_token() -> bytes:
    return secrets.token_hex(32).encode()


def _tell_ray(folder: Path, listen: str | None) -> None:
    os.environ.setdefault("RAY_AUTH_MODE", "token")
    os.environ.setdefault("RAY_AUTH_TOKEN_PATH", str(folder / _TOKEN))
    if (folder / _CA).exists() and "RAY_USE_TLS" not in os.environ:
        certificate, key = (
            _clients_certificate(folder) if listen is None else _certificate_for(folder, [listen])
        )
        os.environ.update(
            RAY_USE_TLS="1",
            RAY_TLS_SERVER_CERT=str(certificate),
            RAY_TLS_SERVER_KEY=str(key),
            RAY_TLS_CA_CERT=str(folder / _CA),
        )


def _make_authority(folder: Path) -> None:
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes

    if (folder / _CA).exists():
        return
    key = _kept_key(folder / _CA_KEY)
    name = _named("Tabwarden fleet")
    certificate = (
        _builder(name, key.public_key())
        .issuer_name(name)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    kept_secret(folder / _CA, lambda: certificate.public_bytes(_pem()))


def _clients_certificate(folder: Path) -> tuple[Path, Path]:
    """Return the certificate and key for a client on this machine. A client needs a certificate
    because Ray also connects back to its clients, and checks their addresses.
    """
    import psutil

    own = sorted(
        {
            one.address.partition("%")[0]
            for interface in psutil.net_if_addrs().values()
            for one in interface
            if one.family in (socket.AF_INET, socket.AF_INET6)
        }
    )
    mark = hashlib.sha256(" ".join(own).encode()).hexdigest()[:8]
    return _certificate_for(folder, own, name=f"client-{mark}")


def _certificate_for(
    folder: Path, addresses: Sequence[str], names: Sequence[str] = (), *, name: str | None = None
) -> tuple[Path, Path]:
    """Return the certificate and key for these addresses and DNS names; create them if they are
    missing. ``name`` is the files' base name, by default the first address.
    """
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    name = name or addresses[0]
    certificate, key_file = folder / f"{name}.pem", folder / f"{name}.key"
    if certificate.exists() and key_file.exists():
        return certificate, key_file
    authority = x509.load_pem_x509_certificate(read_plain_file(folder / _CA))
    authority_key = serialization.load_pem_private_key(read_plain_file(folder / _CA_KEY), None)
    if not isinstance(authority_key, ec.EllipticCurvePrivateKey):
        raise ValueError(f"{_CA_KEY} is not an elliptic-curve key")
    key = _kept_key(key_file)
    valid_for: list[x509.GeneralName] = [
        *map(x509.DNSName, ("localhost", *names)),
        *(x509.IPAddress(ipaddress.ip_address(one)) for one in {"127.0.0.1", *addresses}),
    ]
    signed = (
        _builder(_named(name), key.public_key())
        .issuer_name(authority.subject)
        .add_extension(x509.SubjectAlternativeName(valid_for), critical=False)
        .sign(authority_key, hashes.SHA256())
    )
    kept_secret(certificate, lambda: signed.public_bytes(_pem()))
    return certificate, key_file


def _builder(name: Any, public_key: Any) -> Any:
    from cryptography import x509

    today = datetime.datetime.now(datetime.UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(name)
        .public_key(public_key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(today - datetime.timedelta(days=1))
        .not_valid_after(today + datetime.timedelta(days=_VALID_DAYS))
    )


def _named(name: str) -> Any:
    from cryptography import x509
    from cryptography.x509.oid import NameOID

    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])


def _pem() -> Any:
    from cryptography.hazmat.primitives import serialization

    return serialization.Encoding.PEM


def _kept_key(path: Path) -> Any:
    """Return the key in a file; create it if it is missing. Programs that start at the same time
    get the same key, so a certificate that any of them stores matches the key.
    """
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    def make() -> bytes:
        return ec.generate_private_key(ec.SECP256R1()).private_bytes(
            _pem(), serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )

    return serialization.load_pem_private_key(kept_secret(path, make), None)
