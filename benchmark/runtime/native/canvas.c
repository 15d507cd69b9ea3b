/* canvas: pictures are drawn with 8 bits per channel, as they are read, instead of 10.
 *
 * Godot asks for RGB10_A2 as the format of every canvas that is not transparent. The software rasteriser blends that
 * format along its slow, general way: a screenful costs 15 ms of a core there and 9 ms with RGBA8. What is read has 8 bits
 * in either case; colours may be rounded the other way, and translucent layers over each other add that up.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

enum { GL_RGB10_A2 = 0x8059, GL_RGBA8 = 0x8058 };

typedef void *(*Lookup)(void *, const char *);
typedef void *(*GetFunction)(const char *);
typedef void (*TexImage2D)(unsigned, int, int, int, int, int, unsigned, unsigned, const void *);

static GetFunction real_get_function;
static TexImage2D real_tex_image;

static void tex_image(unsigned target, int level, int stored, int width, int height, int border, unsigned format,
		unsigned type, const void *pixels) {
	if (stored == GL_RGB10_A2) stored = GL_RGBA8;
	real_tex_image(target, level, stored, width, height, border, format, type, pixels);
}

static void *get_function(const char *name) {
	void *function = real_get_function(name);
	if (!function || strcmp(name, "glTexImage2D")) return function;
	real_tex_image = (TexImage2D)function;
	return (void *)tex_image;
}

/* The engine looks OpenGL up at run time, where no preloaded symbol counts. */
EXPORT void *dlsym(void *library, const char *name) {
	static Lookup real;
	static const char *const versions[] = {"GLIBC_2.34", "GLIBC_2.2.5", "GLIBC_2.17"};
	for (unsigned i = 0; !real && i < sizeof versions / sizeof *versions; i++)
		real = (Lookup)dlvsym(RTLD_NEXT, "dlsym", versions[i]);
	if (!strcmp(name, "glXGetProcAddressARB")) {
		real_get_function = (GetFunction)real(library, name);
		return real_get_function ? (void *)get_function : 0;
	}
	return real(library, name); /* a jump, not a call: RTLD_NEXT asks who called */
}
