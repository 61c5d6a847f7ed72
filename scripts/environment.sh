#!/bin/sh
# Creates .venv and installs the project with its development tools; does nothing when that is already done.
set -eu
cd "$(dirname "$0")/.."

venv=.venv
stamp=$venv/.stencil-environment

say() { printf 'environment: %s\n' "$*"; }
fail() { printf 'environment: error: %s\n' "$*" >&2; exit 1; }

is_suitable() { "$1" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2])' 2>/dev/null; }
has_venv() { "$1" -c 'import venv, ensurepip' 2>/dev/null; }
version_of() { "$1" -c 'import platform; print(platform.python_version())'; }

# A Python that can make environments wins over one that cannot.
find_python() {
    if [ -n "${PYTHON:-}" ]; then
        is_suitable "$PYTHON" || fail "PYTHON=$PYTHON is no Python 3.11 or newer."
        echo "$PYTHON"
        return
    fi
    without_venv=
    for candidate in python3 python3.13 python3.12 python3.11 python3.14 python; do
        is_suitable "$candidate" || continue
        if has_venv "$candidate"; then
            echo "$candidate"
            return
        fi
        without_venv=${without_venv:-$candidate}
    done
    echo "$without_venv"
}

# Debian ships the venv module as a package of its own.
install_venv_module() {
    python=$1
    package=$("$python" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        say "installing $package, without which $python cannot create environments"
        apt-get update -qq </dev/null && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "$package" </dev/null || true
    fi
    has_venv "$python" || fail "$python lacks the modules 'venv' and 'ensurepip'. On Debian or Ubuntu: apt-get install $package"
}

# Is the environment there, in its own folder, and made with the interpreter that was asked for, if any was?
is_usable() {
    [ "$("$venv/bin/python" -c 'import sys; print(sys.prefix)' 2>/dev/null)" = "$(pwd -P)/$venv" ] || return 1
    "$venv/bin/python" -m pip --version >/dev/null 2>&1 || return 1
    [ -z "${PYTHON:-}" ] || [ "$(identity_of "$PYTHON")" = "$(identity_of "$venv/bin/python")" ]
}
identity_of() { "$1" -c 'import sys; print(sys.base_prefix, sys.version)' 2>/dev/null; }

# What the environment depends on; the folder's name too, because environments cannot be moved.
key() { { pwd; "$venv/bin/python" -V; cat pyproject.toml constraints.txt "scripts/environment.sh"; } | cksum; }

if [ -e "$stamp" ] && is_usable && [ "$(cat "$stamp")" = "$(key)" ]; then
    say "$venv is up to date (Python $(version_of "$venv/bin/python"))"
    exit 0
fi

if ! is_usable; then
    python=$(find_python)
    [ -n "$python" ] || fail "no Python 3.11 or newer found. Install one, or name it: make PYTHON=/path/to/python3 ..."
    has_venv "$python" || install_venv_module "$python"
    say "creating $venv with $python (Python $(version_of "$python"))"
    rm -rf "$venv"
    "$python" -m venv "$venv"
fi

say "installing stencil-dsl and its development tools at the versions of constraints.txt (a minute or two)"
"$venv/bin/python" -m pip install -qq --no-input --disable-pip-version-check -c constraints.txt -e '.[dev]' </dev/null
key >"$stamp"
say "$venv is ready (Python $(version_of "$venv/bin/python"))"
