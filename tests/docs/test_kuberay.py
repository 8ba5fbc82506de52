"""deploy/kuberay: the manifests refer to existing files and options, and their scripts work."""

from __future__ import annotations

import re
import shlex
import shutil
import stat
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from ruamel.yaml import YAML
from support.command_lines import assert_is_command
from support.needs import needs

from tabwarden.config import load_config
from tabwarden.fleet.on_ray.names import NODE_RESOURCE
from tabwarden.surfaces.guard.middleware import ALIVE

ROOT = Path(__file__).parents[2]
KUBERAY = ROOT / "deploy/kuberay"
IMAGE_USER = 10001
MARGIN_S = 10
"""How much longer than ``drain_s`` a server may take to stop."""
EXPANDED = {"$(POD_IP)": "10.1.2.3", "$(POD_NAME)": "worker-1", "$(REDIS_PASSWORD)": "0123abcd"}


def kustomization() -> Any:
    return YAML(typ="safe").load(KUBERAY / "kustomization.yaml")


@cache
def manifests() -> dict[tuple[str, str], Any]:
    """Every object, by kind and name."""
    found = {}
    for name in kustomization()["resources"]:
        for one in YAML(typ="safe").load_all(KUBERAY / name):
            found[one["kind"], one["metadata"]["name"]] = one
    return found


def cluster() -> Any:
    return manifests()["RayCluster", "tabwarden"]["spec"]


def pods() -> dict[str, Any]:
    """The specification of each kind of pod that runs our image."""
    return {
        "head": cluster()["headGroupSpec"]["template"]["spec"],
        "worker": cluster()["workerGroupSpecs"][0]["template"]["spec"],
        "gateway": manifests()["Deployment", "tabwarden-gateway"]["spec"]["template"]["spec"],
    }


def containers(pod: Any) -> list[Any]:
    return [*pod["initContainers"], *pod["containers"]]


def scripts() -> Iterator[tuple[str, str]]:
    """Every shell script in the pods, with its container's name."""
    for name, pod in pods().items():
        for container in containers(pod):
            stop = container.get("lifecycle", {}).get("preStop", {}).get("exec", {})
            for command in (container.get("command"), stop.get("command")):
                if command is not None:
                    yield f"{name}-{container['name']}", command[-1]


def commands() -> Iterator[Any]:
    for name, script in scripts():
        for said in re.findall(r"\b(tabwarden [^|;\n]+)", script.replace("\\\n", " ")):
            words = shlex.split(said)
            yield pytest.param(words, id=f"{name}-{'-'.join(words[1:3])}")


def settings() -> Iterator[Any]:
    for name, pod in pods().items():
        for container in containers(pod):
            for one in container.get("env", []):
                if re.match(r"TABWARDEN_\w+__", one["name"]):
                    yield pytest.param(one["name"], one["value"], id=f"{name}-{one['name']}")


@pytest.mark.parametrize("words", [*commands()])
def test_each_command_in_the_manifests_exists_with_its_options(words: list[str]) -> None:
    assert_is_command(words)


@pytest.mark.parametrize(("variable", "value"), [*settings()])
def test_each_environment_variable_in_the_manifests_is_a_valid_setting(
    variable: str, value: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for reference, expanded in EXPANDED.items():
        value = value.replace(reference, expanded)
    monkeypatch.setenv(variable, value)
    (tmp_path / "empty.yaml").write_text("{}")
    config = load_config(tmp_path / "empty.yaml")
    section, _, key = variable.removeprefix("TABWARDEN_").lower().partition("__")
    assert key in getattr(config, section).model_fields_set


def test_kustomization_lists_every_manifest() -> None:
    files = {path.name for path in KUBERAY.glob("*.yaml")} - {"kustomization.yaml"}
    assert files == set(kustomization()["resources"])


def test_manifests_use_the_project_and_ray_versions() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    image = f"tabwarden-fleet:{project['version']}"
    assert {one["image"] for pod in pods().values() for one in containers(pod)} == {image}
    assert image in (ROOT / "docs/deploy.md").read_text("utf-8")
    locked = tomllib.loads((ROOT / "uv.lock").read_text("utf-8"))["package"]
    (ray,) = [one["version"] for one in locked if one["name"] == "ray"]
    assert cluster()["rayVersion"] == ray


def test_worker_group_declares_the_ray_resource_of_a_fleet_node() -> None:
    (worker,) = cluster()["workerGroupSpecs"]
    assert worker["rayStartParams"]["resources"] == f'\'"{{\\"{NODE_RESOURCE}\\": 1}}"\''.strip("'")
    assert worker["minReplicas"] <= worker["replicas"] < worker["maxReplicas"]
    assert "resources" not in cluster()["headGroupSpec"]["rayStartParams"]


def test_volumes_and_secrets_of_every_pod_exist() -> None:
    secrets = {
        one["name"]: {Path(file).name for file in one["files"]}
        for one in kustomization()["secretGenerator"]
    }
    claims = {name for kind, name in manifests() if kind == "PersistentVolumeClaim"}
    for pod in pods().values():
        volumes = {one["name"]: one for one in pod["volumes"]}
        for container in containers(pod):
            assert {one["name"] for one in container["volumeMounts"]} <= set(volumes)
            for one in container.get("env", []):
                if reference := one.get("valueFrom", {}).get("secretKeyRef"):
                    assert reference["key"] in secrets[reference["name"]]
        for one in volumes.values():
            assert one.get("secret", {"secretName": None})["secretName"] in {*secrets, None}
            if "persistentVolumeClaim" in one:
                assert one["persistentVolumeClaim"]["claimName"] in claims


def test_pods_are_unprivileged_and_only_workers_relax_seccomp() -> None:
    for name, pod in pods().items():
        context = pod["securityContext"]
        assert (context["runAsNonRoot"], context["fsGroup"]) == (True, IMAGE_USER)
        kind = "Localhost" if name == "worker" else "RuntimeDefault"
        assert context["seccompProfile"]["type"] == kind
        for container in containers(pod):
            assert container["securityContext"]["allowPrivilegeEscalation"] is False
            assert container["securityContext"]["capabilities"] == {"drop": ["ALL"]}
    assert pods()["worker"]["automountServiceAccountToken"] is False
    path = pods()["worker"]["securityContext"]["seccompProfile"]["localhostProfile"]
    assert f"/var/lib/kubelet/seccomp/{path}" in (ROOT / "docs/deploy.md").read_text("utf-8")


def test_gateway_has_enough_drain_time_and_probes_the_health_route() -> None:
    pod = pods()["gateway"]
    (gateway,) = pod["containers"]
    (drain,) = [one["value"] for one in gateway["env"] if one["name"].endswith("__DRAIN_S")]
    assert pod["terminationGracePeriodSeconds"] >= float(drain) + MARGIN_S
    for probe in ("startupProbe", "livenessProbe", "readinessProbe"):
        assert gateway[probe]["httpGet"] == {"path": ALIVE, "port": "http"}
    service = manifests()["Service", "tabwarden"]["spec"]
    labels = manifests()["Deployment", "tabwarden-gateway"]["spec"]["template"]["metadata"][
        "labels"
    ]
    assert service["selector"].items() <= labels.items()


@pytest.mark.parametrize("pod", ["head", "gateway"])
@pytest.mark.long
def test_init_container_creates_a_certificate_and_private_files(pod: str, tmp_path: Path) -> None:
    """Run the init container's script, with test folders in place of the volumes."""
    shared, secrets = tmp_path / "fleet", tmp_path / "secrets"
    program = Path(sys.executable).with_name("tabwarden")

    def run(script: str, folder: Path) -> None:
        subprocess.run(
            ["sh", "-ec", script],
            env={"PATH": f"{program.parent}:/usr/bin:/bin", "POD_IP": "10.1.2.3",
                 "HOME": str(tmp_path), "TABWARDEN_FLEET_SECRETS": str(folder)},
            capture_output=True, timeout=60, check=True,
        )  # fmt: skip

    run("tabwarden fleet secrets", shared)
    for file in shared.iterdir():
        file.chmod(0o440)  # as Kubernetes mounts a secret
    secrets.mkdir()
    (init,) = pods()[pod]["initContainers"]
    script = (
        init["command"][-1].replace("/fleet/", f"{shared}/").replace("/secrets/", f"{secrets}/")
    )
    run(script, secrets)
    assert (secrets / "ray.token").read_bytes() == (shared / "ray.token").read_bytes()
    for file in secrets.iterdir():
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    certificate = x509.load_pem_x509_certificate((secrets / "10.1.2.3.pem").read_bytes())
    certificate.verify_directly_issued_by(
        x509.load_pem_x509_certificate((shared / "ca.pem").read_bytes())
    )
    if pod == "head":
        names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
        service = f"{manifests()['RayCluster', 'tabwarden']['metadata']['name']}-head-svc"
        assert service in names.get_values_for_type(x509.DNSName)
        for name in ("RAY_TLS_SERVER_CERT", "RAY_TLS_SERVER_KEY", "RAY_TLS_CA_CERT"):
            for environment in (pods()[pod]["containers"][0], cluster()["autoscalerOptions"]):
                (path,) = [one["value"] for one in environment["env"] if one["name"] == name]
                assert Path(path.replace("/secrets/", f"{secrets}/")).is_file()


@needs("kubectl")
def test_kustomize_accepts_the_manifests(tmp_path: Path) -> None:
    folder = tmp_path / "kuberay"
    shutil.copytree(KUBERAY, folder, ignore=shutil.ignore_patterns("secrets"))
    for one in kustomization()["secretGenerator"]:
        for file in one["files"]:
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            (folder / file).write_text("a secret")
    done = subprocess.run(
        ["kubectl", "kustomize", folder], capture_output=True, text=True, timeout=60, check=True
    )
    made = [*YAML(typ="safe").load_all(done.stdout)]
    assert len(made) == len(manifests()) + len(kustomization()["secretGenerator"])
    assert {one["metadata"].get("namespace") for one in made} == {None, "tabwarden"}
