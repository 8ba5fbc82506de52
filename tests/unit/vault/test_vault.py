"""Where a vault inserts secrets, and which text it masks."""

from __future__ import annotations

import base64
import html
import json
from urllib.parse import quote, quote_plus

import pytest

from tabwarden.errors import Denied, InvalidArgument
from tabwarden.vault import Contents, Vault
from tabwarden.vault.reading import Held
from tabwarden.vault.totp import Totp, parse_seed

HERE = "https://shop.example"
PASSWORD = 'pa"ss & wörd/+'


@pytest.fixture
def vault() -> Vault:
    vault = Vault()
    held = Held(name="PW", text=PASSWORD, origins=(HERE,))
    seed = parse_seed("GEZD GNBV GY3T QOJQ GEZD GNBV GY3T QOJQ")
    code = Held(name="CODE", text="GEZDGNBVGY3TQOJQ", totp=seed, origins=(HERE,))
    vault.hold(Contents({"PW": held, "CODE": code}, {}))
    return vault


def test_vault_fills_only_capitalized_names_in_double_braces(vault: Vault) -> None:
    text = "{{PW}}{{PW}} {{ PW }} {{pw}} {PW} {{{PW}}}"
    assert vault.fill(text, HERE, "text") == (
        f"{PASSWORD}{PASSWORD} {{{{ PW }}}} {{{{pw}}}} {{PW}} {{{PASSWORD}}}"
    )


@pytest.mark.parametrize("origin", ["http://shop.example", f"{HERE}:8443", "https://x.com", "null"])
def test_vault_denies_a_secret_to_another_origin(vault: Vault, origin: str) -> None:
    with pytest.raises(Denied, match="PW is not allowed at"):
        vault.fill("{{PW}}", origin, "text")


def test_unknown_secret_error_suggests_similar_names(vault: Vault) -> None:
    with pytest.raises(InvalidArgument) as refused:
        vault.check("{{CODES}}", "text")
    assert refused.value.data["nearest"] == ["CODE"]


@pytest.mark.parametrize(
    "form",
    [
        PASSWORD,
        PASSWORD.upper(),
        quote(PASSWORD, safe=""),
        quote(PASSWORD, safe="").lower(),
        quote_plus(PASSWORD),
        json.dumps(PASSWORD)[1:-1],
        json.dumps(PASSWORD, ensure_ascii=False)[1:-1],
        html.escape(PASSWORD),
    ],
)
def test_vault_masks_every_encoding_of_a_secret(vault: Vault, form: str) -> None:
    assert vault.hidden.hide({"a": [f"<{form}>"]}) == {"a": ["<{{PW}}>"]}


@pytest.mark.parametrize("before", ["", "a", "ab", "ann:"])
@pytest.mark.parametrize("encode", [base64.b64encode, base64.urlsafe_b64encode])
def test_vault_masks_a_secret_inside_base64(vault: Vault, before: str, encode: object) -> None:
    assert callable(encode)
    told = vault.hidden.hide(encode(f"{before}{PASSWORD}!".encode()).decode())
    assert "{{PW}}" in told
    left = told.replace("{{PW}}", "")
    assert len(left) <= len(before) * 4 // 3 + 8


def test_totp_codes_match_rfc_6238() -> None:
    """The values are from RFC 6238, appendix B."""
    keys = {"sha1": b"1234567890" * 2, "sha256": b"1234567890" * 3 + b"12"}
    codes = {"sha1": (94287082, 7081804, 65353130), "sha256": (46119246, 68084774, 77737706)}
    for algorithm, key in keys.items():
        totp = Totp(key, digits=8, algorithm=algorithm)
        made = [int(totp.code(now)) for now in (59, 1111111109, 20000000000)]
        assert made == [*codes[algorithm]]
    url = "otpauth://totp/Shop:ann?secret=GEZDGNBVGY3TQOJQ&digits=8&period=60&algorithm=SHA256"
    assert parse_seed(url)._replace(key=b"") == Totp(b"", 8, 60, "sha256")


def test_filled_one_time_code_is_valid_for_two_more_seconds_and_masked(vault: Vault) -> None:
    totp = Totp(b"x")
    assert [totp.left_s(now) for now in (0, 1, 29.5)] == [30, 29, 0.5]
    assert vault.wait_s("{{PW}}") == 0
    assert 0 <= vault.wait_s("{{CODE}}") < 2.1
    code = vault.fill("{{CODE}}", HERE, "text")
    assert len(code) == 6
    assert code.isdigit()
    assert vault.hidden.hide(f"your code {code}") == "your code {{CODE}}"
