"""The serverless folder that `manage.py folder` writes: the whole app, for any static host.

All URLs in it are relative, so that it works at the root of a host and under a path. The service worker and
the engine take the path from their own URL (scripts/serverless/).
"""

from __future__ import annotations

import gzip
import json
import tempfile
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.management.commands import collectstatic
from django.core.management import call_command
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.module_loading import import_string

from games.common import program
from games.management import bundle
from games.play.views.pwa import HTMX
from games.urls import urlpatterns

MOST_SEGMENTS = 6  # path segments of the app's longest URL
FILE_LIST = ".anotador-folder"  # lists the files of the last release; other folders have no such file
FOLDER_SCRIPT = "serverless/app.js"  # on the pages of a folder, in place of app.js
STORAGE = "scorekeeper.static_storage.ManifestStorage"
SITE_FILES = ("app.js", "worker.js", "api/viewer.js", "icons/preview.png")  # no folder needs them
POLICY: str = import_string("scorekeeper.middleware.POLICY")  # `games` may not import `scorekeeper`
WORKER_POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self' blob:"

HTACCESS = """\
AddType text/javascript .mjs
<IfModule mod_headers.c>
  Header set X-Content-Type-Options nosniff
</IfModule>
"""
NGINX = """\
# Include this in the `location` of the folder.
add_header X-Content-Type-Options nosniff;
"""


class FolderNotEmpty(Exception):
    """The folder has files that this command did not write and must not overwrite."""


def write_folder(folder: Path, *, project: str = "") -> int:
    """Write the app into `folder` and return the size of all files in bytes.

    `project` is the URL of the app's source, which the first page links to. Raise FolderNotEmpty, or
    MissingPackage if a package for the folder is missing.
    """
    _check_replaceable(folder)
    engine = bundle.engine_folder()
    packed = {
        "library.zip": bundle.zip_files(
            bundle.compile_sources(bundle.library_files(engine / "python_stdlib.zip"))
        ),
        "app.tar": bundle.tar_files(bundle.compile_sources(bundle.app_files())),
        **{name: (engine / name).read_bytes() for name in ("pyodide.asm.wasm", "pyodide.asm.mjs")},
    }
    driver = (engine / "pyodide.mjs").read_bytes()
    _delete_previous_release(folder)
    hashed = _write_static(folder)
    place = sha256(b"".join([*packed.values(), driver])).hexdigest()[: bundle.HASH]
    _write(folder / "engine" / place, {"pyodide.mjs": driver})
    _write(
        folder / "engine" / place,
        {f"{name}.gz": gzip.compress(content, 9, mtime=0) for name, content in packed.items()},
    )
    _write_entries(folder, hashed, f"engine/{place}", project)
    written = _files_in(folder)
    _write(folder, {FILE_LIST: "\n".join(written).encode()})
    return sum((folder / name).stat().st_size for name in written)


def _check_replaceable(folder: Path) -> None:
    visible = folder.exists() and any(not path.name.startswith(".") for path in folder.iterdir())
    if visible and not (folder / FILE_LIST).exists():
        raise FolderNotEmpty(f"{folder} has other files. Name an empty folder.")


def _delete_previous_release(folder: Path) -> None:
    """Delete the files of an earlier release. Other files in the folder, such as those of Git, stay."""
    if (folder / FILE_LIST).exists():
        for name in (folder / FILE_LIST).read_text(encoding="utf-8").splitlines():
            (folder / name).unlink(missing_ok=True)


def _files_in(folder: Path) -> list[str]:
    """Return the names of the files to publish: `.htaccess`, and all files that are not hidden."""
    names = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    return sorted(
        name.as_posix() for name in names if not name.parts[0].startswith(".") or name.name == ".htaccess"
    )


def _write_static(folder: Path) -> dict[str, str]:
    """Write the static files under hashed names. Return the hashed name of each."""
    with tempfile.TemporaryDirectory() as made:
        command = collectstatic.Command()
        command.storage = import_string(STORAGE)(location=made, base_url="static/")
        call_command(command, interactive=False, verbosity=0)
        hashed = {
            name: hashed
            for name, hashed in command.storage.hashed_files.items()
            if name == HTMX or (name not in SITE_FILES and program.path("static", name).exists())
        }
        _write(folder / "static", {name: Path(made, name).read_bytes() for name in hashed.values()})
    return hashed


def _write_entries(folder: Path, hashed: dict[str, str], place: str, project: str) -> None:
    """Write the files with fixed names: first page, workers, manifest, and configuration for web servers.

    `hashed` has the hashed name of each static file, and `place` is the path of the engine's folder.
    """
    engine = _engine_config(hashed, place)
    files = [name for name in _files_in(folder) if name.startswith(("static/", "engine/"))]
    release = sha256(json.dumps([files, engine]).encode()).hexdigest()[: bundle.HASH]
    engine["release"] = release
    start = f"engine-{release}.js"
    script = f'import {{ begin }} from "./static/{hashed["serverless/engine.js"]}";\nbegin({json.dumps(engine)});\n'
    constants = {
        "RELEASE": release,
        "FILES": ["./", start, "manifest.webmanifest", *files],
        "SIZE": sum((folder / name).stat().st_size for name in files),
        "ENGINE": start,
        "PLACES": _first_segments(),
        "POLICY": POLICY,
        "WORKER_POLICY": WORKER_POLICY,
    }
    known = ", ".join(f"{name} = {json.dumps(value)}" for name, value in constants.items())
    worker = f'const {known};\nimportScripts("static/{hashed["serverless/worker.js"]}");\n'
    policy = POLICY.replace("; frame-ancestors 'none'", "")  # a policy in a <meta> tag cannot have this part
    shell = render_to_string(
        "shell_alone.html",
        {
            "css": hashed["app.css"],
            "js": hashed["serverless/shell.js"],
            "start": start,
            "policy": policy,
            "ways": list(_language_contexts(project)),
        },
    )
    missing = {
        "deep": ["../" * depth for depth in range(MOST_SEGMENTS + 1)],
        "js": hashed["serverless/missing.js"],
    }
    texts = {
        "index.html": shell,
        "404.html": render_to_string("missing_alone.html", {**missing, "policy": policy}),
        "sw.js": worker,
        start: script,
        "manifest.webmanifest": json.dumps(_manifest(hashed), indent=1),
        "_headers": f"/*\n  X-Content-Type-Options: nosniff\n/index.html\n  Content-Security-Policy: {POLICY}\n",
        ".htaccess": HTACCESS,
        "nginx.conf.txt": NGINX,
    }
    _write(folder, {name: text.encode() for name, text in texts.items()})


def _engine_config(hashed: dict[str, str], place: str) -> dict[str, Any]:
    """Return the configuration for the script that starts the engine: files, static files, lock file."""
    files = ("pyodide.mjs", "library.zip", "app.tar", "pyodide.asm.wasm")
    return {
        "files": {name: f"{place}/{name}" for name in files},
        "names": {**hashed, "app.js": hashed[FOLDER_SCRIPT]},
        "lock": bundle.pyodide_lock(),
    }


def _first_segments() -> list[str]:
    """Return the first path segments of the app's URLs. Other URLs are left to the host."""
    return sorted({"i18n", *(str(page.pattern).partition("/")[0] for page in urlpatterns)})


def _language_contexts(project: str) -> Iterator[dict[str, str]]:
    """Yield the `code` of each language and, as `html`, the first page's texts in that language."""
    for code, _name in settings.LANGUAGES:
        with translation.override(code):
            yield {"code": code, "html": render_to_string("shell_alone_texts.html", {"project": project})}


def _manifest(hashed: dict[str, str]) -> dict[str, object]:
    icons = (("icons/192.png", "192x192", "any"), ("icons/512.png", "512x512", "any"))
    maskable = ("icons/maskable.png", "512x512", "maskable")
    return {
        "id": "./",
        "start_url": "./",
        "scope": "./",
        "display": "standalone",
        "name": "Anotador",
        "short_name": "Anotador",
        "background_color": "#103a2d",
        "theme_color": "#103a2d",
        "icons": [
            {"src": f"static/{hashed[name]}", "sizes": sizes, "type": "image/png", "purpose": purpose}
            for name, sizes, purpose in (*icons, maskable)
        ],
    }


def _write(folder: Path, files: dict[str, bytes]) -> None:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
