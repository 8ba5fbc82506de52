"""Let a browser trust the user's own certificate authorities (CAs), in addition to its own.

People can add certificates in Chromium's certificate manager, which stores them in a database in
the profile. No switch adds certificates: ``--ignore-certificate-errors-spki-list`` checks no
signatures. Source: components/server_certificate_database/server_certificate_database.{cc,proto} in
Chromium.
"""

from __future__ import annotations

import hashlib
import json
import re
import sqlite3
import ssl
from contextlib import closing
from pathlib import Path

from tabwarden.digits import whole_number
from tabwarden.errors import InvalidArgument, LaunchFailed
from tabwarden.files.plain_file import read_plain_file
from tabwarden.files.secret_file import write_private_file

OLDEST = 143
"""The oldest major version of Chromium that is known to read this database format."""
_PEM = re.compile(
    r"-----BEGIN CERTIFICATE-----(?:(?!-----BEGIN).)+?-----END CERTIFICATE-----", re.DOTALL
)
_TRUSTED = bytes((0x0A, 2, 0x08, 3))
"""CertificateMetadata { trust { trust_type: CERTIFICATE_TRUST_TYPE_TRUSTED } }, as protobuf."""
_OURS = "tabwarden-ca"
"""The name of a file in the profile that contains the hashes of the certificates that we added."""
_MOST_BYTES = 4_000_000
_TABLES = """
CREATE TABLE IF NOT EXISTS meta(key LONGVARCHAR NOT NULL UNIQUE PRIMARY KEY, value LONGVARCHAR);
CREATE TABLE IF NOT EXISTS certificates(
    sha256hash_hex TEXT PRIMARY KEY, der_cert BLOB NOT NULL, trust_settings BLOB NOT NULL);
INSERT OR IGNORE INTO meta VALUES ('version', '1'), ('last_compatible_version', '1');
"""


def read_authorities(file: Path) -> list[bytes]:
    """Return the certificates in a PEM file, as DER.

    Raises:
        InvalidArgument: the file can't be read, or contains no certificate. The error never quotes
            the file.
    """
    try:
        text = read_plain_file(file, _MOST_BYTES).decode("ascii", "replace")
        certificates = [ssl.PEM_cert_to_DER_cert(one) for one in _PEM.findall(text)]
    except OSError as error:
        raise _unusable(file, f"can't be read: {error.strerror}") from None
    except ValueError:
        raise _unusable(file, "is not in PEM format") from None
    if not certificates or any(not _is_certificate(one) for one in certificates):
        raise _unusable(file, "contains no valid PEM certificate")
    return certificates


def trust(profile: Path, authorities: list[bytes]) -> None:
    """Make a profile trust these certificates, and remove all others that Tabwarden added to it.
    The browser must not be running.

    Raises:
        LaunchFailed: the profile's database has an unknown format, or can't be written.
    """
    record = profile / _OURS
    try:
        added: list[str] = json.loads(read_plain_file(record)) if record.exists() else []
        if not authorities and not added:
            return
        folder = profile / _folder_of(profile)
        folder.mkdir(mode=0o700, exist_ok=True)
        by_hash = {hashlib.sha256(one).hexdigest(): one for one in authorities}
        with closing(sqlite3.connect(folder / "ServerCertificate", timeout=1)) as database:
            database.executescript(_TABLES)
            for old in added:
                database.execute("DELETE FROM certificates WHERE sha256hash_hex = ?", (old,))
            rows = database.execute("SELECT sha256hash_hex FROM certificates").fetchall()
            fresh = by_hash.keys() - {row[0] for row in rows}
            write_private_file(record, json.dumps(sorted(fresh)).encode())
            database.executemany(
                "INSERT INTO certificates VALUES (?, ?, ?)",
                [(one, by_hash[one], _TRUSTED) for one in fresh],
            )
            database.commit()
    except (OSError, ValueError, TypeError, RecursionError, sqlite3.Error) as error:
        raise LaunchFailed(
            f"Tabwarden can't add the certificates in `ca` to the profile {profile}: {error}.",
            "Use another profile, or add them in the browser (chrome://certificate-manager).",
            field="ca",
        ) from None


def check_reads_authorities(product: str) -> None:
    """Raise ``LaunchFailed`` if a browser is too old for ``trust``. ``product`` is
    "Chrome/156.0.8078.79"."""
    major = whole_number(product.partition("/")[2].partition(".")[0])
    if major is None or major < OLDEST:
        raise LaunchFailed(
            f"The option ca requires Chromium {OLDEST} or later. This browser is {product}.",
            "Use a newer browser, or add the certificate to this system's certificate store.",
            field="ca",
        )


def _folder_of(profile: Path) -> str:
    """Return the folder of the profile that the browser opens, inside this user data folder."""
    try:
        last = json.loads(read_plain_file(profile / "Local State"))["profile"]["last_used"]
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return "Default"
    plain = isinstance(last, str) and Path(last).name == last and (profile / last).is_dir()
    return last if plain else "Default"


def _is_certificate(der: bytes) -> bool:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    try:
        context.load_verify_locations(cadata=der)
    except ssl.SSLError:
        return False
    return True


def _unusable(file: Path, why: str) -> InvalidArgument:
    return InvalidArgument(
        f"The file {file} {why}.", "Specify a PEM file with your CA's certificates.", field="ca"
    )
