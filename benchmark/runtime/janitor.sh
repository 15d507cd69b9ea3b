# Cleans up after a harness process that may be killed at any moment.
# Reads "group PGID" / "ended PGID" lines until the harness closes the pipe, however it ends;
# then kills the process groups still running and removes the work folder given as $1.
trap '' INT TERM HUP
groups=' '
while read -r verb id; do
	case $verb in
	group) groups="$groups$id " ;;
	ended) groups="${groups%% "$id" *} ${groups#* "$id" }" ;;
	esac
done
for id in $groups; do kill -s KILL -- "-$id" 2>/dev/null; done
chmod -R u+rwX -- "$1" 2>/dev/null
rm -rf -- "$1"
