#!/bin/sh
# A picture of the Godot editor with a scene open.
#   editor.sh [--scene res://…] [--screen 2D|3D|Script] [--out PICTURE.png]
. "$(dirname "$(readlink -f "$0")")/workbench.sh"
ask editor --out editor.png "$@"
