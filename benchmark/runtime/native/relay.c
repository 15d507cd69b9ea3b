/* What an agent's tools are made of: hands words to a service behind a Unix socket, and back what it says.

   relay SOCKET WORD… [--out FILE] [--video FILE] [--trace FILE]

   A program of its own, linked statically, because nothing else is certain to be where an agent works: neither Python
   nor a library of ours. The service names no path. Files are read and written here, with the rights of whoever calls.

   Sent: how many words, then each with its length before it (32 bits, big-endian); after the word `mcp`, standard
   input as it comes. Received: frames of a kind, a length and so many bytes; `o` is for standard output, `e` for standard
   error, `p` and `v` are a picture and a video, `x` is the exit code. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define MAX_TRACE (1u << 20)
#define MAX_WORDS 64
#define NO_ANSWER 75 /* EX_TEMPFAIL */

static const char *names[2]; /* of files: picture, video */

static void fail(const char *what, const char *why) {
	fprintf(stderr, "%s: %s\n", what, why);
	exit(NO_ANSWER);
}

static int put(int to, const char *data, size_t left) {
	while (left) {
		ssize_t done = write(to, data, left);
		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return 0;
		data += done;
		left -= (size_t)done;
	}
	return 1;
}

static int take(int from, char *data, size_t left) {
	while (left) {
		ssize_t done = read(from, data, left);
		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return 0;
		data += done;
		left -= (size_t)done;
	}
	return 1;
}

static int dial(const char *path) {
	/* An address has room for 107 characters, a path for more: go by the folder. */
	char folder[4096], place[96];
	const char *slash = strrchr(path, '/');
	size_t length = slash ? (size_t)(slash - path) : 0;
	if (!slash || length >= sizeof folder || strlen(slash) > 40)
		fail(path, "is no path of a socket");
	memcpy(folder, path, length);
	folder[length] = 0;
	int directory = open(length ? folder : "/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (directory < 0)
		fail(path, strerror(errno));
	snprintf(place, sizeof place, "/proc/self/fd/%d%s", directory, slash);
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	strcpy(address.sun_path, place);
	int there = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (there < 0 || connect(there, (struct sockaddr *)&address, sizeof address) < 0)
		fail("the workbench does not answer", strerror(errno));
	close(directory);
	return there;
}

static void say(int there, const char *word, size_t length) {
	uint32_t size = htonl((uint32_t)length);
	if (!put(there, (char *)&size, 4) || !put(there, word, length))
		fail("the workbench", "has hung up");
}

static char *content(const char *path, size_t *length) {
	char *text = malloc(MAX_TRACE + 1);
	int file = open(path, O_RDONLY | O_CLOEXEC);
	if (!text || file < 0)
		fail(path, strerror(errno));
	*length = 0;
	for (ssize_t done; (done = read(file, text + *length, MAX_TRACE + 1 - *length)) != 0; *length += (size_t)done) {
		if (done < 0)
			fail(path, strerror(errno));
		if (*length + (size_t)done > MAX_TRACE)
			fail(path, "is larger than 1 MiB");
	}
	close(file);
	return text;
}

static void ask(int there, int count, char **words) {
	const char *said[MAX_WORDS];
	size_t length[MAX_WORDS];
	uint32_t number = 0, size;
	for (int i = 0; i < count; i++) {
		const char *word = words[i];
		int more = i + 1 < count;
		if (number + 2 > MAX_WORDS)
			fail(words[0], "too many words");
		if (!strcmp(word, "--out") && more) {
			names[0] = words[++i];
			continue;
		}
		if (!strcmp(word, "--video") && more)
			names[1] = words[++i];
		said[number] = word;
		length[number++] = strlen(word);
		if (!strcmp(word, "--trace") && more)
			said[number] = content(words[++i], &length[number]), number++;
	}
	size = htonl(number);
	if (!put(there, (char *)&size, 4))
		fail("the workbench", "has hung up");
	for (uint32_t i = 0; i < number; i++)
		say(there, said[i], length[i]);
}

static void pass(int from, int to, uint32_t left) {
	char data[65536];
	while (left) {
		size_t piece = left < sizeof data ? left : sizeof data;
		if (!take(from, data, piece))
			fail("the workbench", "has hung up");
		if (to >= 0 && !put(to, data, piece))
			exit(NO_ANSWER); /* whoever listens is gone */
		left -= (uint32_t)piece;
	}
}

/* One frame; its exit code ends this program. */
static void hear(int there) {
	unsigned char head[5];
	uint32_t size;
	if (!take(there, (char *)head, 5))
		fail("the workbench", "has hung up");
	memcpy(&size, head + 1, 4);
	size = ntohl(size);
	if (head[0] == 'x') {
		unsigned char code = NO_ANSWER;
		take(there, (char *)&code, 1);
		exit(code);
	}
	const char *name = head[0] == 'p' ? names[0] : head[0] == 'v' ? names[1] : NULL;
	int to = head[0] == 'o' ? 1 : head[0] == 'e' ? 2 : -1;
	if (name && (to = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644)) < 0)
		fprintf(stderr, "%s: %s\n", name, strerror(errno));
	pass(there, to, size);
	if (name && to >= 0) {
		close(to);
		printf("%s is written\n", name);
		fflush(stdout);
	}
}

int main(int count, char **words) {
	if (count < 3)
		fail("relay", "SOCKET and WORD are needed");
	signal(SIGPIPE, SIG_IGN);
	int there = dial(words[1]), talks = !strcmp(words[2], "mcp");
	ask(there, count - 2, words + 2);
	for (;;) {
		struct pollfd ends[2] = {{there, POLLIN, 0}, {talks ? 0 : -1, POLLIN, 0}};
		if (poll(ends, 2, -1) < 0 && errno != EINTR)
			fail("relay", strerror(errno));
		if (ends[1].revents) {
			char data[65536];
			ssize_t read_in = read(0, data, sizeof data);
			if (read_in <= 0) {
				shutdown(there, SHUT_WR);
				talks = 0;
			} else if (!put(there, data, (size_t)read_in))
				return NO_ANSWER;
		}
		if (ends[0].revents)
			hear(there);
	}
}
