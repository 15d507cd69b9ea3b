/* clockwork: a preload library that takes wall-clock time, entropy and the pointer away from Godot.
 *
 * Calls made by Godot's own code see a virtual clock that moves only when the replayer says so. Threads
 * of the game that sleep are woken in virtual time, one deadline after the other, and the main thread
 * goes on when all of them are at rest again: a discrete event simulation of the whole process.
 * Mesa, X11 and the C++ runtime keep the real clock.
 *
 * The replayer speaks to it by OS.set_environment("GAMECRAFT_CLOCK", command):
 *   advance USEC X Y MASK   move the clock to USEC after boot, the pointer to X,Y, buttons to MASK
 *   settle                  wait until no other thread of the game is running
 *   release                 the replay is over: sleepers may go
 *   arithmetic              say in GAMECRAFT_ARITHMETIC what shaders are compiled for (processor.c)
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))
#define COMMAND_VARIABLE "GAMECRAFT_CLOCK"

const char *pinned_arithmetic(void);

enum {
	MAX_THREADS = 256,
	MAX_WAKES_PER_ADVANCE = 400, /* a thread that sleeps for microseconds must not stall the frame */
	SPIN_CALLS = 5000,           /* clock reads in one frame after which the main thread is busy-waiting */
	SPIN_STEP_USEC = 20,
	REST_POLL_NSEC = 40 * 1000,
	DEADLOCK_POLL_MSEC = 10,     /* once the main thread seems to wait for a sleeper */
	SLEEPER_POLL_MSEC = 40,      /* until then: drawing, too, makes it wait */
	DEADLOCK_SAMPLES = 3,
	EVENT_POLL_USEC = 20 * 1000,
};
static const int64_t BOOT_USEC = 1000000;
static const int64_t UNIX_BASE_SEC = 1735732800; /* 2025-01-01 12:00:00 UTC */
static const int64_t REST_BUDGET_NSEC = 15LL * 1000 * 1000 * 1000;

static uintptr_t engine_low, engine_high, runtime_low, runtime_high;
static pid_t main_thread;
static volatile int64_t virtual_usec = 1000000;
static volatile int released;
static int clock_reads;
static int pointer_x = -1, pointer_y = -1, pointer_mask;
static int64_t rest_spent_nsec;

/* ---- which code is calling -------------------------------------------------------------------- */

static void span_of(struct dl_phdr_info *info, uintptr_t *low, uintptr_t *high) {
	for (int i = 0; i < info->dlpi_phnum; i++) {
		if (info->dlpi_phdr[i].p_type != PT_LOAD) continue;
		uintptr_t begin = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
		uintptr_t end = begin + info->dlpi_phdr[i].p_memsz;
		if (!*low || begin < *low) *low = begin;
		if (end > *high) *high = end;
	}
}

static int look_at_object(struct dl_phdr_info *info, size_t size, void *data) {
	(void)size;
	int *count = data;
	if ((*count)++ == 0) span_of(info, &engine_low, &engine_high); /* the first object is the program */
	else if (strstr(info->dlpi_name, "libstdc++")) span_of(info, &runtime_low, &runtime_high);
	return 0;
}

static int from_engine(void *address) {
	return (uintptr_t)address >= engine_low && (uintptr_t)address < engine_high;
}
static int from_runtime(void *address) {
	return (uintptr_t)address >= runtime_low && (uintptr_t)address < runtime_high;
}
#define CALLED_BY_ENGINE from_engine(__builtin_return_address(0))

static pid_t thread_id(void) {
	static __thread pid_t id;
	if (!id) id = (pid_t)syscall(SYS_gettid);
	return id;
}
static int on_main_thread(void) { return thread_id() == main_thread; }

__attribute__((constructor)) static void begin(void) {
	int count = 0;
	dl_iterate_phdr(look_at_object, &count);
	main_thread = (pid_t)syscall(SYS_gettid);
}

/* ---- the game's threads ------------------------------------------------------------------------ */

static pthread_mutex_t threads_lock = PTHREAD_MUTEX_INITIALIZER;
static int thread_files[MAX_THREADS]; /* open /proc/self/task/ID/stat, or 0 */
static volatile int threads_starting;
static __thread int own_slot = -1;

struct start {
	void *(*routine)(void *);
	void *argument;
};

static int remember_thread(void) {
	char path[64];
	snprintf(path, sizeof path, "/proc/self/task/%d/stat", (int)thread_id());
	int file = open(path, O_RDONLY | O_CLOEXEC), slot = -1;
	if (file < 0) return -1;
	pthread_mutex_lock(&threads_lock);
	for (int i = 0; i < MAX_THREADS && slot < 0; i++)
		if (!thread_files[i]) thread_files[slot = i] = file;
	pthread_mutex_unlock(&threads_lock);
	if (slot < 0) close(file);
	return slot;
}

static void forget_thread(void *unused) {
	(void)unused;
	if (own_slot < 0) return;
	pthread_mutex_lock(&threads_lock);
	close(thread_files[own_slot]);
	thread_files[own_slot] = 0;
	own_slot = -1;
	pthread_mutex_unlock(&threads_lock);
}

static void *run_thread(void *data) {
	struct start start = *(struct start *)data;
	free(data);
	own_slot = remember_thread();
	__sync_fetch_and_sub(&threads_starting, 1);
	void *result;
	pthread_cleanup_push(forget_thread, 0);
	result = start.routine(start.argument);
	pthread_cleanup_pop(1);
	return result;
}

EXPORT int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*routine)(void *), void *argument) {
	static int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
	if (!real) real = dlsym(RTLD_NEXT, "pthread_create");
	void *caller = __builtin_return_address(0);
	/* Godot starts threads through std::thread; Mesa and X11 do not. */
	if (!from_engine(caller) && !from_runtime(caller)) return real(thread, attributes, routine, argument);
	struct start *start = malloc(sizeof *start);
	if (!start) return EAGAIN;
	start->routine = routine;
	start->argument = argument;
	__sync_fetch_and_add(&threads_starting, 1);
	int error = real(thread, attributes, run_thread, start);
	if (error) {
		__sync_fetch_and_sub(&threads_starting, 1);
		free(start);
	}
	return error;
}

/* The one thread that waits in select() reads the X server's events. Every answer to the main thread wakes it,
 * and nothing of the game runs on it: waiting for it to rest would cost a tenth of a second per demo. It also looks
 * every millisecond on its own; during a replay, when no native event is awaited, that is a quarter of a second per demo. */
EXPORT int select(int count, fd_set *readable, fd_set *writable, fd_set *exceptional, struct timeval *limit) {
	static int (*real)(int, fd_set *, fd_set *, fd_set *, struct timeval *);
	if (!real) real = dlsym(RTLD_NEXT, "select");
	if (CALLED_BY_ENGINE) {
		forget_thread(0);
		if (pointer_x >= 0 && !released && limit && !limit->tv_sec && limit->tv_usec < EVENT_POLL_USEC)
			limit->tv_usec = EVENT_POLL_USEC;
	}
	return real(count, readable, writable, exceptional, limit);
}

static char state_in(const char *stat) {
	const char *end = strrchr(stat, ')');
	return end && end[1] ? end[2] : 'S';
}

/* Threads of the game that run, wait for a core or for the disk. */
static int busy_threads(void) {
	char text[160];
	int busy = threads_starting;
	pthread_mutex_lock(&threads_lock);
	for (int i = 0; i < MAX_THREADS; i++) {
		if (!thread_files[i]) continue;
		ssize_t size = pread(thread_files[i], text, sizeof text - 1, 0);
		if (size <= 0) continue; /* just ended */
		text[size] = 0;
		char state = state_in(text);
		if (state == 'R' || state == 'D') busy++;
	}
	pthread_mutex_unlock(&threads_lock);
	return busy;
}

static void real_sleep(long nsec) {
	struct timespec span = {0, nsec};
	syscall(SYS_nanosleep, &span, 0);
}

static int64_t real_nsec(void) {
	struct timespec now;
	syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000LL + now.tv_nsec;
}

/* Wait until the game's other threads are at rest. The total is bounded: a thread that spins for ever
 * costs its game the budget once, then frames go on unpinned. */
static void settle(void) {
	if (!busy_threads()) return;
	int64_t began = real_nsec();
	while (busy_threads() && rest_spent_nsec + (real_nsec() - began) < REST_BUDGET_NSEC) real_sleep(REST_POLL_NSEC);
	rest_spent_nsec += real_nsec() - began;
}

/* ---- sleeping in virtual time ------------------------------------------------------------------ */

static pthread_mutex_t sleep_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t sleep_over = PTHREAD_COND_INITIALIZER;
static int64_t deadlines[MAX_THREADS]; /* of sleeping threads, 0 = free */

static int64_t earliest_deadline(void) {
	int64_t first = 0;
	for (int i = 0; i < MAX_THREADS; i++)
		if (deadlines[i] && (!first || deadlines[i] < first)) first = deadlines[i];
	return first;
}

/* The main thread waits for a lock and no thread at all is running: it waits for a sleeper. */
static int main_waits_for_sleeper(void) {
	char path[64], text[256];
	snprintf(path, sizeof path, "/proc/self/task/%d/syscall", (int)main_thread);
	int file = open(path, O_RDONLY | O_CLOEXEC);
	if (file < 0) return 0;
	ssize_t size = read(file, text, sizeof text - 1);
	close(file);
	if (size <= 0) return 0;
	text[size] = 0;
	if (strtol(text, 0, 10) != SYS_futex) return 0;
	DIR *tasks = opendir("/proc/self/task");
	if (!tasks) return 0;
	struct dirent *entry;
	int running = 0;
	while ((entry = readdir(tasks))) {
		if (entry->d_name[0] == '.' || atoi(entry->d_name) == thread_id()) continue;
		snprintf(path, sizeof path, "/proc/self/task/%.20s/stat", entry->d_name);
		if ((file = open(path, O_RDONLY | O_CLOEXEC)) < 0) continue;
		size = read(file, text, sizeof text - 1);
		close(file);
		text[size > 0 ? size : 0] = 0;
		char state = state_in(text);
		if (state == 'R' || state == 'D') running++;
	}
	closedir(tasks);
	return !running;
}

static void sleep_virtually(int64_t usec) {
	pthread_mutex_lock(&sleep_lock);
	int slot = 0;
	while (slot < MAX_THREADS && deadlines[slot]) slot++;
	if (slot == MAX_THREADS) {
		pthread_mutex_unlock(&sleep_lock);
		real_sleep(1000000);
		return;
	}
	int64_t deadline = deadlines[slot] = virtual_usec + (usec > 0 ? usec : 1);
	int stuck = 0;
	while (virtual_usec < deadline && !released) {
		struct timespec limit;
		syscall(SYS_clock_gettime, CLOCK_REALTIME, &limit);
		limit.tv_nsec += (stuck ? DEADLOCK_POLL_MSEC : SLEEPER_POLL_MSEC) * 1000000L;
		if (limit.tv_nsec >= 1000000000L) limit.tv_nsec -= 1000000000L, limit.tv_sec++;
		if (pthread_cond_timedwait(&sleep_over, &sleep_lock, &limit) != ETIMEDOUT) continue;
		if (deadline != earliest_deadline()) continue; /* somebody else goes first */
		stuck = main_waits_for_sleeper() ? stuck + 1 : 0;
		if (stuck >= DEADLOCK_SAMPLES && virtual_usec < deadline) virtual_usec = deadline;
	}
	deadlines[slot] = 0;
	pthread_mutex_unlock(&sleep_lock);
	if (released) real_sleep(1000000); /* a loop around a sleep must not spin at the end */
}

/* Move the clock to `target`, stopping at each deadline on the way so that sleepers wake in order. */
static void advance_to(int64_t target) {
	settle();
	for (int wakes = 0; wakes < MAX_WAKES_PER_ADVANCE; wakes++) {
		pthread_mutex_lock(&sleep_lock);
		int64_t first = earliest_deadline();
		int due = first && first <= target;
		if (due && first > virtual_usec) virtual_usec = first;
		if (due) pthread_cond_broadcast(&sleep_over);
		pthread_mutex_unlock(&sleep_lock);
		if (!due) break;
		settle();
	}
	pthread_mutex_lock(&sleep_lock);
	if (target > virtual_usec) virtual_usec = target;
	clock_reads = 0;
	pthread_mutex_unlock(&sleep_lock);
}

static int sleep_for_engine(int64_t usec) {
	if (on_main_thread()) {
		if (released) return 0;
		virtual_usec += usec; /* OS.delay_*: the main thread's time jumps */
		return 1;
	}
	sleep_virtually(usec);
	return 1;
}

EXPORT int nanosleep(const struct timespec *span, struct timespec *left) {
	if (!CALLED_BY_ENGINE || !sleep_for_engine(span->tv_sec * 1000000LL + span->tv_nsec / 1000))
		return (int)syscall(SYS_nanosleep, span, left);
	if (left) memset(left, 0, sizeof *left);
	return 0;
}

EXPORT int usleep(useconds_t usec) {
	if (CALLED_BY_ENGINE && sleep_for_engine(usec)) return 0;
	struct timespec span = {usec / 1000000, (usec % 1000000) * 1000L};
	return (int)syscall(SYS_nanosleep, &span, 0);
}

/* ---- clocks ------------------------------------------------------------------------------------- */

static int64_t now_usec(void) {
	/* A game that waits for the clock inside one frame must come out of the loop. */
	if (on_main_thread() && ++clock_reads > SPIN_CALLS) virtual_usec += SPIN_STEP_USEC;
	return virtual_usec;
}

EXPORT int clock_gettime(clockid_t clock, struct timespec *result) {
	if (!CALLED_BY_ENGINE || clock == CLOCK_PROCESS_CPUTIME_ID || clock == CLOCK_THREAD_CPUTIME_ID)
		return (int)syscall(SYS_clock_gettime, clock, result);
	int64_t usec = now_usec();
	if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE) usec += UNIX_BASE_SEC * 1000000 - BOOT_USEC;
	result->tv_sec = usec / 1000000;
	result->tv_nsec = usec % 1000000 * 1000;
	return 0;
}

EXPORT int gettimeofday(struct timeval *result, void *zone) {
	(void)zone;
	struct timespec now;
	if (CALLED_BY_ENGINE) {
		int64_t usec = now_usec() + UNIX_BASE_SEC * 1000000 - BOOT_USEC;
		now.tv_sec = usec / 1000000;
		now.tv_nsec = usec % 1000000 * 1000;
	} else {
		syscall(SYS_clock_gettime, CLOCK_REALTIME, &now);
	}
	result->tv_sec = now.tv_sec;
	result->tv_usec = now.tv_nsec / 1000;
	return 0;
}

EXPORT time_t time(time_t *result) {
	struct timespec now;
	if (CALLED_BY_ENGINE) now.tv_sec = now_usec() / 1000000 + UNIX_BASE_SEC - BOOT_USEC / 1000000;
	else syscall(SYS_clock_gettime, CLOCK_REALTIME, &now);
	if (result) *result = now.tv_sec;
	return now.tv_sec;
}

/* ---- entropy ------------------------------------------------------------------------------------ */

static void fill(void *buffer, size_t size) {
	static uint64_t state = 0x9E3779B97F4A7C15ull; /* xorshift64 from a fixed seed */
	for (size_t i = 0; i < size; i++) {
		state ^= state << 13;
		state ^= state >> 7;
		state ^= state << 17;
		((uint8_t *)buffer)[i] = (uint8_t)(state >> 24);
	}
}

EXPORT int getentropy(void *buffer, size_t size) {
	if (!CALLED_BY_ENGINE) return syscall(SYS_getrandom, buffer, size, 0) == (long)size ? 0 : -1;
	fill(buffer, size);
	return 0;
}

EXPORT ssize_t getrandom(void *buffer, size_t size, unsigned flags) {
	if (!CALLED_BY_ENGINE) return syscall(SYS_getrandom, buffer, size, flags);
	fill(buffer, size);
	return (ssize_t)size;
}

/* ---- the pointer: the X server does not know of injected motion --------------------------------- */

/* Godot asks about ten times a frame, and each question is a round trip that also wakes its event thread.
 * Where the window lies is asked again only after it was moved; the pointer itself is ours to say. */
static struct {
	unsigned long window, root;
	int offset_x, offset_y, moves;
} last_query[2];
static int window_moves = 1;

EXPORT int XMoveWindow(void *display, unsigned long window, int x, int y) {
	static int (*real)(void *, unsigned long, int, int);
	if (!real) real = dlsym(RTLD_NEXT, "XMoveWindow");
	window_moves++;
	return real(display, window, x, y);
}

EXPORT int XMoveResizeWindow(void *display, unsigned long window, int x, int y, unsigned width, unsigned height) {
	static int (*real)(void *, unsigned long, int, int, unsigned, unsigned);
	if (!real) real = dlsym(RTLD_NEXT, "XMoveResizeWindow");
	window_moves++;
	return real(display, window, x, y, width, height);
}

EXPORT int XQueryPointer(void *display, unsigned long window, unsigned long *root, unsigned long *child, int *root_x,
		int *root_y, int *window_x, int *window_y, unsigned *mask) {
	static int (*real)(void *, unsigned long, unsigned long *, unsigned long *, int *, int *, int *, int *, unsigned *);
	if (!real) real = dlsym(RTLD_NEXT, "XQueryPointer");
	int slot = 0;
	while (slot < 1 && last_query[slot].window != window) slot++;
	if (pointer_x < 0 || last_query[slot].window != window || last_query[slot].moves != window_moves) {
		int result = real(display, window, root, child, root_x, root_y, window_x, window_y, mask);
		if (pointer_x < 0 || !result) return result;
		slot = last_query[0].window && last_query[0].window != window;
		last_query[slot].window = window;
		last_query[slot].root = *root;
		last_query[slot].offset_x = *window_x - *root_x;
		last_query[slot].offset_y = *window_y - *root_y;
		last_query[slot].moves = window_moves;
	}
	*root = last_query[slot].root;
	*child = 0;
	*root_x = pointer_x;
	*root_y = pointer_y;
	*window_x = pointer_x + last_query[slot].offset_x;
	*window_y = pointer_y + last_query[slot].offset_y;
	*mask = (unsigned)pointer_mask;
	return 1;
}

/* ---- properties of the window: no window manager is there to change them --------------------------- */

/* Several times a frame Godot asks whether its window is minimised, in a round trip each time. The answer is kept
 * until the game changes a property itself. */
enum { MAX_ANSWERS = 8, MAX_ANSWER_BYTES = 256 };
static struct answer {
	unsigned long window, property, wanted;
	long offset, length;
	unsigned long type, items, left;
	int format;
	char data[MAX_ANSWER_BYTES];
} answers[MAX_ANSWERS];
static int answer_count;

static size_t bytes_of(int format, unsigned long items) {
	return items * (format == 32 ? sizeof(long) : (size_t)format / 8) + 1; /* Xlib adds a zero */
}

EXPORT int XGetWindowProperty(void *display, unsigned long window, unsigned long property, long offset, long length,
		int delete, unsigned long wanted, unsigned long *type, int *format, unsigned long *items, unsigned long *left,
		unsigned char **data) {
	static int (*real)(void *, unsigned long, unsigned long, long, long, int, unsigned long, unsigned long *, int *,
			unsigned long *, unsigned long *, unsigned char **);
	if (!real) real = dlsym(RTLD_NEXT, "XGetWindowProperty");
	int ours = CALLED_BY_ENGINE && on_main_thread() && pointer_x >= 0 && !delete;
	for (struct answer *it = answers; ours && it < answers + answer_count; it++) {
		if (it->window != window || it->property != property || it->wanted != wanted) continue;
		if (it->offset != offset || it->length != length) continue;
		size_t size = bytes_of(it->format, it->items);
		if (!(*data = malloc(size))) break;
		memcpy(*data, it->data, size);
		*type = it->type, *items = it->items, *left = it->left, *format = it->format;
		return 0;
	}
	int result = real(display, window, property, offset, length, delete, wanted, type, format, items, left, data);
	if (!ours || result || !*data || answer_count == MAX_ANSWERS) return result;
	size_t size = bytes_of(*format, *items);
	if (size > MAX_ANSWER_BYTES) return result;
	struct answer *kept = &answers[answer_count++];
	*kept = (struct answer){window, property, wanted, offset, length, *type, *items, *left, *format, ""};
	memcpy(kept->data, *data, size);
	return result;
}

EXPORT int XChangeProperty(void *display, unsigned long window, unsigned long property, unsigned long type, int format,
		int mode, const unsigned char *data, int items) {
	static int (*real)(void *, unsigned long, unsigned long, unsigned long, int, int, const unsigned char *, int);
	if (!real) real = dlsym(RTLD_NEXT, "XChangeProperty");
	answer_count = 0;
	return real(display, window, property, type, format, mode, data, items);
}

EXPORT int XDeleteProperty(void *display, unsigned long window, unsigned long property) {
	static int (*real)(void *, unsigned long, unsigned long);
	if (!real) real = dlsym(RTLD_NEXT, "XDeleteProperty");
	answer_count = 0;
	return real(display, window, property);
}

/* ---- commands ------------------------------------------------------------------------------------ */

EXPORT int setenv(const char *name, const char *value, int overwrite) {
	static int (*real)(const char *, const char *, int);
	if (!real) real = dlsym(RTLD_NEXT, "setenv");
	if (strcmp(name, COMMAND_VARIABLE)) return real(name, value, overwrite);
	long long usec;
	int x, y, mask;
	if (sscanf(value, "advance %lld %d %d %d", &usec, &x, &y, &mask) == 4) {
		pointer_x = x;
		pointer_y = y;
		/* Godot's mask: left 1, right 2, middle 4; X11's: left 1<<8, middle 1<<9, right 1<<10 */
		pointer_mask = (mask & 1 ? 1 << 8 : 0) | (mask & 4 ? 1 << 9 : 0) | (mask & 2 ? 1 << 10 : 0);
		advance_to(usec);
	} else if (!strcmp(value, "arithmetic")) {
		real("GAMECRAFT_ARITHMETIC", pinned_arithmetic(), 1);
	} else if (!strcmp(value, "settle")) {
		settle();
	} else if (!strcmp(value, "release")) {
		pthread_mutex_lock(&sleep_lock);
		released = 1;
		pthread_cond_broadcast(&sleep_over);
		pthread_mutex_unlock(&sleep_lock);
	}
	return 0;
}
