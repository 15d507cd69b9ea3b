#!/bin/sh
# Render a Godot project into a PNG, on a virtual display of its own.
#   screenshot.sh --path PROJECT -- --out FILE [--frames N] [--scene res://…] [arguments for the game, e.g. --scenario ID]
set -eu
usage='usage: screenshot.sh --path PROJECT -- --out FILE [--frames N] [--scene res://...] [--scenario ID]'
project=
while [ $# -gt 0 ]; do
	case $1 in
	--path) project=${2:?$usage}; shift 2 ;;
	--) shift; break ;;
	*) echo "screenshot.sh: $1 is not known before --" >&2; echo "$usage" >&2; exit 2 ;;
	esac
done
[ -f "$project/project.godot" ] || { echo "screenshot.sh: no project.godot in '$project'" >&2; echo "$usage" >&2; exit 2; }
tools=$(dirname "$(readlink -f "$0")")
. "$tools/runtime.sh"

stamp=$project/.godot/imported
if [ ! -d "$stamp" ] || [ -n "$(find "$project" -path "$project/.godot" -prune -o -newer "$stamp" -type f -print | head -n 1)" ]; then
	start_godot --headless --path "$project" --import >/dev/null 2>&1 || true
	mkdir -p "$stamp" && touch "$stamp"
fi

scratch=$(mktemp -d)
start_display "$scratch/number" &
display=$!
trap 'kill "$display" 2>/dev/null; rm -rf "$scratch"' EXIT
waited=0
until [ -s "$scratch/number" ]; do
	waited=$((waited + 1))
	[ "$waited" -lt 200 ] || { echo 'screenshot.sh: the virtual display did not start' >&2; exit 1; }
	sleep 0.05
done
DISPLAY=:$(cat "$scratch/number")
export DISPLAY
start_godot --path "$project" --display-driver x11 --rendering-driver opengl3 --audio-driver Dummy \
	--resolution 1280x720 --position 0,0 --fixed-fps 30 --disable-vsync --script "$tools/screenshot.gd" -- "$@"
