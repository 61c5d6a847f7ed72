#!/bin/sh
# Installs the programs outside Python that some tests need, where that is possible: as root on Debian.
# Never fails: tests whose tool is missing skip with a reason (or fail, under STENCIL_REQUIRE_TOOLS=1).
set -eu
cd "$(dirname "$0")/.."

packages=$(.venv/bin/python -m tests.tools)
if [ -z "$packages" ]; then
    echo "tools: every program that the tests need is here"
elif [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "tools: installing" $packages
    { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $packages; } </dev/null ||
        echo "tools: could not install them; the tests that need them skip"
else
    echo "tools: missing" $packages "(the tests that need them skip); on Debian or Ubuntu: apt-get install" $packages
fi
