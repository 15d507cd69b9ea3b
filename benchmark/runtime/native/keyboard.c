/* keyboard: lets an Xvfb from a private root find its keymap compiler.
 *
 * Xvfb starts "/usr/bin/xkbcomp" through a shell; the path is compiled in. In the sandbox that path is right. Without
 * one it is not, so this library, preloaded into Xvfb, puts the command in $GAMECRAFT_XKBCOMP in its place.
 */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char COMPILED_IN[] = "\"/usr/bin/xkbcomp\"";

__attribute__((visibility("default"))) int execl(const char *path, const char *first, ...) {
	char *arguments[8] = {(char *)first};
	int count = 1;
	va_list rest;
	va_start(rest, first);
	while (count < 7 && arguments[count - 1]) arguments[count++] = va_arg(rest, char *);
	va_end(rest);
	char *command = count > 2 ? arguments[2] : 0, *found = command ? strstr(command, COMPILED_IN) : 0;
	const char *ours = getenv("GAMECRAFT_XKBCOMP");
	if (found && ours && asprintf(&arguments[2], "%.*s%s%s", (int)(found - command), command, ours,
			found + sizeof COMPILED_IN - 1) < 0)
		return -1;
	return execv(path, arguments);
}
