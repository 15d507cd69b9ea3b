// What a hostile program tries against the sandbox: `attack NAME [ARGUMENT…]`, one line for each thing that is tried.
// Each attack ends by itself long before it could harm a machine that lets it through.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MIB (1L << 20)

static long hold_sec = 4; // longer than the supervisor takes to look again
static char block[MIB];

static void tell(const char *what, long result) {
	printf("%s %s\n", what, result < 0 ? strerrorname_np(errno) : "ok");
	fflush(stdout);
}

static void hold(void) {
	fflush(stdout);
	sleep(hold_sec);
	printf("held on\n");
}

static long write_mib(int file, long most) {
	long written = 0;
	while (written < most) {
		ssize_t got = write(file, block, MIB);
		if (got < MIB)
			break;
		written++;
	}
	return written;
}

static int idle(void *unused) {
	return 0;
}

static void namespaces(void) {
	static char stack[65536];
	unsigned long kinds[] = {CLONE_NEWUSER, CLONE_NEWNS, CLONE_NEWPID, CLONE_NEWNET, CLONE_NEWIPC, CLONE_NEWUTS, CLONE_NEWCGROUP, 0x80};
	for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++)
		tell("unshare", unshare(kinds[i]));
	tell("clone", clone(idle, stack + sizeof stack, CLONE_NEWUSER | SIGCHLD, NULL));
	struct { unsigned long long flags, rest[10]; } arguments = {CLONE_NEWUSER};
	tell("clone3", syscall(SYS_clone3, &arguments, sizeof arguments));
	tell("setns", setns(open("/proc/self/ns/user", O_RDONLY), 0));
#ifdef __x86_64__
	tell("x32", syscall(0x40000000 | SYS_unshare, CLONE_NEWUSER));
	long result;
	__asm__ volatile("int $0x80" : "=a"(result) : "a"(310), "b"(CLONE_NEWUSER) : "memory");
	errno = -result;
	tell("32-bit", result);
#endif
	int id = fork();
	if (id == 0)
		_exit(0);
	tell("fork", id);
}

static void calls(void) {
	tell("mount", syscall(SYS_mount, "none", "/tmp", "tmpfs", 0, ""));
	tell("fsopen", syscall(SYS_fsopen, "tmpfs", 0));
	tell("pivot_root", syscall(SYS_pivot_root, ".", "."));
	tell("chroot", chroot("/tmp"));
	tell("add_key", syscall(SYS_add_key, "user", "name", "value", 5, -5));
	tell("keyctl", syscall(SYS_keyctl, 0, -4, 1));
	tell("bpf", syscall(SYS_bpf, 0, block, 128));
	tell("perf_event_open", syscall(SYS_perf_event_open, block, 0, -1, -1, 0));
	tell("userfaultfd", syscall(SYS_userfaultfd, 1));
	tell("io_uring_setup", syscall(SYS_io_uring_setup, 8, block));
	tell("memfd_secret", syscall(447, 0));
	tell("shmget", syscall(SYS_shmget, 0, 4096, 01600));
	tell("semget", syscall(SYS_semget, 0, 1, 01600));
	tell("msgget", syscall(SYS_msgget, 0, 01600));
	tell("mq_open", syscall(SYS_mq_open, "name", O_RDWR | O_CREAT, 0600, NULL));
	int terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY);
	tell("TIOCSTI", ioctl(terminal, TIOCSTI, "x"));
	tell("ptrace", ptrace(PTRACE_TRACEME, 0, NULL, NULL));
	tell("memfd_create", syscall(SYS_memfd_create, "name", 0));
}

// Into every mount that is not read-only, until it is full.
static void everywhere(void) {
	FILE *mounts = fopen("/proc/self/mountinfo", "r");
	char line[4096], place[1024], options[256], path[1100];
	while (fgets(line, sizeof line, mounts)) {
		sscanf(line, "%*d %*d %*s %*s %1023s %255s", place, options);
		snprintf(path, sizeof path, "%s/flood", place);
		int file = open(path, O_WRONLY | O_CREAT, 0600);
		if (file < 0)
			continue;
		long written = write_mib(file, 300);
		printf("%s %ld MiB\n", place, written);
		unlink(path);
		close(file);
	}
}

static void many_files(const char *folder, long most, long bytes) {
	char path[PATH_MAX];
	long made = 0;
	for (; made < most; made++) {
		snprintf(path, sizeof path, "%s/%ld", folder, made);
		int file = open(path, O_WRONLY | O_CREAT, 0600);
		if (file < 0 || write(file, block, bytes) < bytes)
			break;
		close(file);
	}
	printf("made %ld\n", made);
	hold();
}

static void memory_file(long mib) {
	int file = syscall(SYS_memfd_create, "name", 0);
	tell("memfd_create", file);
	printf("wrote %ld MiB\n", write_mib(file, mib));
	hold();
}

static void let_go(long mib) {
	char *memory = mmap(NULL, mib * MIB, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	for (long i = 0; i < mib; i++) {
		memset(memory + i * MIB, 1, MIB);
		madvise(memory + i * MIB, MIB, MADV_DONTNEED);
	}
	hold();
}

static void *fill(void *mib) {
	char *memory = malloc((long)mib * MIB);
	memset(memory, 1, (long)mib * MIB);
	hold();
	return memory;
}

static void first_thread_ends(long mib) {
	pthread_t thread;
	pthread_create(&thread, NULL, fill, (void *)mib);
	pthread_exit(NULL);
}

// The sandbox's own first process belongs to the same user, so that its memory can be written: what would that bring?
static void take_over(void) {
	tell("/proc/1/mem", open("/proc/1/mem", O_RDWR));
	FILE *limits = fopen("/proc/1/limits", "r");
	char line[256];
	while (fgets(line, sizeof line, limits))
		if (!strncmp(line, "Max address", 11) || !strncmp(line, "Max file size", 13))
			printf("%s", strstr(line, "unlimited") ? "unlimited\n" : "limited\n");
	FILE *status = fopen("/proc/1/status", "r");
	while (fgets(line, sizeof line, status))
		if (!strncmp(line, "Seccomp:", 8))
			printf("%s", strchr(line, '2') ? "filtered\n" : "free\n");
}

static void page_tables(long mib) {
	long size = mib * MIB / 4096 * (2 * MIB); // each 2 MiB that are looked at cost a page
	volatile char *memory = mmap(NULL, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	tell("mmap", (char *)memory == MAP_FAILED ? -1 : 0);
	madvise((char *)memory, size, MADV_NOHUGEPAGE);
	for (long at = 0; at < size; at += 2 * MIB)
		(void)memory[at];
	hold();
}

static void socket_buffers(long pairs) {
	for (long i = 0; i < pairs; i++) {
		int ends[2];
		if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends) < 0)
			break;
		while (write(ends[0], block, 65536) > 0)
			;
	}
	hold();
}

static void *stay(void *unused) {
	sleep(hold_sec);
	return NULL;
}

static void threads(long most) {
	long made = 0;
	for (pthread_t thread; made < most && pthread_create(&thread, NULL, stay, NULL) == 0; made++)
		pthread_detach(thread);
	printf("threads %ld\n", made);
	hold();
}

static void own_descriptors(void) {
	tell("unshare", unshare(CLONE_FILES));
	static char stack[65536];
	tell("clone", clone(idle, stack + sizeof stack, CLONE_VM | CLONE_SIGHAND | CLONE_THREAD, NULL));
	tell("close_range", syscall(SYS_close_range, 100, 200, 2));
}

static void forks(long most) {
	long made = 0;
	for (; made < most; made++) {
		int id = fork();
		if (id == 0) {
			sleep(hold_sec);
			_exit(0);
		}
		if (id < 0)
			break;
	}
	printf("forks %ld\n", made);
	hold();
}

static void deep(const char *folder, long levels) {
	chdir(folder);
	for (long i = 0; i < levels; i++)
		if (mkdir("down", 0700) < 0 || chdir("down") < 0)
			break;
	int file = open("flood", O_WRONLY | O_CREAT, 0600);
	printf("wrote %ld MiB\n", write_mib(file, 100));
	hold();
}

static void removed(const char *folder, long mib) {
	chdir(folder);
	int file = open("flood", O_WRONLY | O_CREAT, 0600);
	unlink("flood");
	printf("wrote %ld MiB\n", write_mib(file, mib));
	hold();
}

static void forbidden(const char *folder, long mib) {
	chdir(folder);
	mkdir("closed", 0700);
	int file = open("closed/flood", O_WRONLY | O_CREAT, 0600);
	chmod("closed", 0);
	printf("wrote %ld MiB\n", write_mib(file, mib));
	close(file);
	hold();
}

static void sparse(const char *folder) {
	chdir(folder);
	signal(SIGXFSZ, SIG_IGN);
	int file = open("sparse", O_WRONLY | O_CREAT, 0600);
	tell("ftruncate", ftruncate(file, 1L << 40));
	tell("pwrite", pwrite(file, "x", 1, 1L << 40));
}

static void settings(void) {
	const char *paths[] = {"/proc/sys/kernel/core_pattern", "/proc/sys/kernel/shmmax", "/proc/sys/vm/overcommit_memory",
		"/proc/sys/user/max_user_namespaces", "/proc/sysrq-trigger", "/dev/kmsg", "/sys/kernel/uevent_helper"};
	for (unsigned i = 0; i < sizeof paths / sizeof *paths; i++)
		tell(paths[i], open(paths[i], O_WRONLY));
}

static void become_root(void) {
	printf("euid %d\n", geteuid());
	tell("setuid", setuid(0));
}

static int meeting_place(int join(int, const struct sockaddr *, socklen_t)) {
	struct sockaddr_un name = {AF_UNIX, "\0meeting"};
	return join(socket(AF_UNIX, SOCK_STREAM, 0), (struct sockaddr *)&name, sizeof name);
}

static void be_there(void) {
	tell("bind", meeting_place(bind));
	tell("/tmp/here", open("/tmp/here", O_CREAT | O_WRONLY, 0666));
	tell("/dev/shm/here", open("/dev/shm/here", O_CREAT | O_WRONLY, 0666));
	hold();
}

static void reach(void) {
	tell("connect", meeting_place(connect));
	tell("/tmp/here", open("/tmp/here", O_RDONLY));
	tell("/dev/shm/here", open("/dev/shm/here", O_RDONLY));
	tell("kill", kill(-1, SIGKILL));
}

// What a local user finds in what can be read of all processes: `names` are files of their folders.
static void spy(const char *secret, char **names) {
	DIR *folder = opendir("/proc");
	static char content[1 << 22];
	long looked = 0;
	for (struct dirent *entry; (entry = readdir(folder));) {
		for (int i = 0; names[i] && atoi(entry->d_name) > 0; i++) {
			char path[300];
			snprintf(path, sizeof path, "/proc/%s/%s", entry->d_name, names[i]);
			int file = open(path, O_RDONLY);
			if (file < 0)
				continue;
			ssize_t size = 0, got;
			while ((got = read(file, content + size, sizeof content - size)) > 0)
				size += got;
			close(file);
			looked += size > 0;
			if (size > 0 && atoi(entry->d_name) != getpid() && memmem(content, size, secret, strlen(secret)))
				printf("found in %s\n", path);
		}
	}
	printf("looked at %s\n", looked > 2 ? "many" : "nothing");
}

int main(int count, char **words) {
	const char *name = words[1], *place = count > 2 ? words[2] : "";
	long number = count > 2 ? atol(words[2]) : 0, second = count > 3 ? atol(words[3]) : 0;
	memset(block, 'x', sizeof block);
	if (!strcmp(name, "forks") && second > 0)
		hold_sec = second;
	if (!strcmp(name, "namespaces")) namespaces();
	else if (!strcmp(name, "calls")) calls();
	else if (!strcmp(name, "everywhere")) everywhere();
	else if (!strcmp(name, "many-files")) many_files(place, second, count > 4 ? atol(words[4]) : 0);
	else if (!strcmp(name, "memory-file")) memory_file(number);
	else if (!strcmp(name, "let-go")) let_go(number);
	else if (!strcmp(name, "first-thread-ends")) first_thread_ends(number);
	else if (!strcmp(name, "take-over")) take_over();
	else if (!strcmp(name, "page-tables")) page_tables(number);
	else if (!strcmp(name, "sockets")) socket_buffers(number);
	else if (!strcmp(name, "threads")) threads(number);
	else if (!strcmp(name, "own-descriptors")) own_descriptors();
	else if (!strcmp(name, "forks")) forks(number);
	else if (!strcmp(name, "deep")) deep(place, second);
	else if (!strcmp(name, "removed")) removed(place, second);
	else if (!strcmp(name, "forbidden")) forbidden(place, second);
	else if (!strcmp(name, "sparse")) sparse(place);
	else if (!strcmp(name, "settings")) settings();
	else if (!strcmp(name, "root")) become_root();
	else if (!strcmp(name, "be-there")) be_there();
	else if (!strcmp(name, "reach")) reach();
	else if (!strcmp(name, "spy")) spy(place, words + 3);
	else return 2;
	return 0;
}
