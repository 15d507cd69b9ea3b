# How the tools beside this file ask the workbench; read by them.
set -eu
tools=$(dirname "$(readlink -f "$0")")
ask() {
	exec "$tools/bin/relay" "$tools/.workbench" "$@"
}
