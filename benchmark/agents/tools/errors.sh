#!/bin/sh
# Run the game without a window; every error and warning with file and line, and what it printed last.
#   errors.sh [--frames N] [--scene res://…] [--scenario ID]
. "$(dirname "$(readlink -f "$0")")/workbench.sh"
ask errors "$@"
