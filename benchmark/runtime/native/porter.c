/* Runs a program where there is no network but this: a port of the loopback that leads to a Unix socket.

   porter PORT SOCKET COMMAND…

   The program finds its model's endpoint at http://127.0.0.1:PORT; behind the socket, outside of the sandbox, stands the
   gateway. Every connection is a process of its own, which only carries bytes. Ends with the program and with its exit
   code; in a sandbox nothing outlives it. Linked statically, as nothing else is certain to be there. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_CARRIERS 64
#define CANNOT_START 126

static void fail(const char *what) {
	fprintf(stderr, "porter: %s: %s\n", what, strerror(errno));
	exit(CANNOT_START);
}

static int listening(int port) {
	int one = 1, here = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (here < 0 || setsockopt(here, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one) < 0 ||
	    bind(here, (struct sockaddr *)&address, sizeof address) < 0 || listen(here, 128) < 0)
		fail("the port");
	return here;
}

static int dial(const char *path) {
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	if (strlen(path) >= sizeof address.sun_path)
		return -1;
	strcpy(address.sun_path, path);
	int there = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (there >= 0 && connect(there, (struct sockaddr *)&address, sizeof address) < 0) {
		close(there);
		return -1;
	}
	return there;
}

/* One piece; 0 when that side has no more to say. */
static int carry(int from, int to) {
	char data[65536];
	ssize_t got = read(from, data, sizeof data);
	if (got < 0 && (errno == EINTR || errno == EAGAIN))
		return 1;
	if (got <= 0)
		return 0;
	for (ssize_t done = 0, now; done < got; done += now) {
		now = write(to, data + done, (size_t)(got - done));
		if (now < 0 && errno == EINTR)
			now = 0;
		else if (now <= 0)
			_exit(0);
	}
	return 1;
}

static void carry_all(int client, const char *path) {
	int one = 1, there = dial(path), open_sides = 2;
	if (there < 0)
		_exit(1);
	setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
	struct pollfd ends[2] = {{client, POLLIN, 0}, {there, POLLIN, 0}};
	while (open_sides) {
		if (poll(ends, 2, -1) < 0 && errno != EINTR)
			_exit(1);
		for (int side = 0; side < 2; side++) {
			int from = side ? there : client, to = side ? client : there;
			if (ends[side].fd >= 0 && ends[side].revents && !carry(from, to)) {
				shutdown(to, SHUT_WR);
				ends[side].fd = -1;
				open_sides--;
			}
			/* the gateway is done, or the client is gone: what the other still says is for nobody */
			if (ends[1].fd < 0 || (ends[0].revents & POLLHUP && ends[0].revents & POLLERR))
				_exit(0);
		}
	}
	_exit(0);
}

int main(int count, char **words) {
	int port = count < 4 ? 0 : atoi(words[1]);
	if (port <= 0 || port > 65535)
		errno = EINVAL, fail("PORT, SOCKET and COMMAND are needed");
	int here = listening(port), carriers = 0;
	sigset_t child, before;
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	sigprocmask(SIG_BLOCK, &child, &before);
	int signals = signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
	pid_t program = fork();
	if (program == 0) {
		sigprocmask(SIG_SETMASK, &before, NULL);
		execvp(words[3], words + 3);
		fprintf(stderr, "porter: %s: %s\n", words[3], strerror(errno));
		_exit(errno == ENOENT ? 127 : CANNOT_START);
	}
	if (program < 0 || signals < 0)
		fail("the program");
	/* Standard input is the program's: an end of it held here would keep a reader waiting. */
	int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
	dup2(nothing, 0);
	signal(SIGPIPE, SIG_IGN);
	for (;;) {
		struct pollfd ends[2] = {{carriers < MAX_CARRIERS ? here : -1, POLLIN, 0}, {signals, POLLIN, 0}};
		if (poll(ends, 2, -1) < 0 && errno != EINTR)
			fail("waiting");
		struct signalfd_siginfo told;
		while (read(signals, &told, sizeof told) > 0)
			;
		int status;
		for (pid_t ended; (ended = waitpid(-1, &status, WNOHANG)) > 0;) {
			if (ended == program)
				return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
			carriers--;
		}
		int client = ends[0].revents & POLLIN ? accept4(here, NULL, NULL, SOCK_CLOEXEC) : -1;
		if (client < 0)
			continue;
		pid_t carrier = fork();
		if (carrier == 0) {
			close(here);
			close(signals);
			dup2(nothing, 1);
			dup2(nothing, 2);
			carry_all(client, words[2]);
		}
		carriers += carrier > 0;
		close(client);
	}
}
