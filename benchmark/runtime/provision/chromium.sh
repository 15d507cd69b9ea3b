#!/bin/sh
# Starts the Chromium of the private root that this script lies in.
# The search path must not hold a C library: the machine's own loader starts the program and its children.
root=$(cd -- "${0%/*}" && pwd) || exit 127
libraries=
for folder in "$root"/usr/lib/*-linux-gnu "$root"/lib/*-linux-gnu "$root"/usr/lib/*-linux-gnu/pulseaudio; do
	[ -d "$folder" ] && libraries="$libraries${libraries:+:}$folder"
done
export LD_LIBRARY_PATH="$libraries"
export FONTCONFIG_FILE="$root/fonts.conf"
exec "$root/usr/lib/chromium/chromium-headless-shell" "$@"
