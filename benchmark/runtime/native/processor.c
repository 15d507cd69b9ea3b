/* processor: shaders are compiled to arithmetic that every x86-64 processor does alike.
 *
 * Mesa's software rasteriser has LLVM compile shaders for the processor it runs on. LLVM keeps to IEEE 754 whatever the
 * processor, with one exception that Mesa asks for by name: llvm.fmuladd rounds once where there is FMA and twice where
 * there is not. Here it always rounds twice, so that the same picture comes from SSE and from AVX2. The model to compile
 * for is the same everywhere, too; which vector instructions may be used is said by Mesa (GALLIUM_OVERRIDE_CPU_CAPS).
 *
 * This works where LLVM is a shared library of its own, as in Debian.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

#ifdef __x86_64__

#define MODEL "x86-64"
#define FUSED "llvm.fmuladd."

struct text { /* llvm::StringRef */
	const char *data;
	size_t length;
};

static struct {
	void *(*build_call)(void *, void *, void *, void **, unsigned, const char *);
	void *(*build_mul)(void *, void *, void *, const char *);
	void *(*build_add)(void *, void *, void *, const char *);
	const char *(*name_of)(void *, size_t *);
	void *(*as_instruction)(void *);
	void *(*as_call)(void *);
	void (*add_attribute)(void *, unsigned, void *);
} llvm;

/* LLVM comes with the graphics driver, out of sight of RTLD_NEXT. */
static int look_into(struct dl_phdr_info *info, size_t size, void *found) {
	(void)size;
	if (!strstr(info->dlpi_name, "libLLVM")) return 0;
	*(void **)found = dlopen(info->dlpi_name, RTLD_LAZY | RTLD_NOLOAD);
	return 1;
}

static void *find_llvm(void) {
	static void *library;
	if (library) return library;
	void *found = 0;
	dl_iterate_phdr(look_into, &found);
	if (!found) return 0;
	*(void **)&llvm.build_call = dlsym(found, "LLVMBuildCall2");
	*(void **)&llvm.build_mul = dlsym(found, "LLVMBuildFMul");
	*(void **)&llvm.build_add = dlsym(found, "LLVMBuildFAdd");
	*(void **)&llvm.name_of = dlsym(found, "LLVMGetValueName2");
	*(void **)&llvm.as_instruction = dlsym(found, "LLVMIsAInstruction");
	*(void **)&llvm.as_call = dlsym(found, "LLVMIsACallInst");
	*(void **)&llvm.add_attribute = dlsym(found, "LLVMAddCallSiteAttribute");
	return library = found;
}

/* llvm::sys::getHostCPUName() */
EXPORT struct text _ZN4llvm3sys14getHostCPUNameEv(void) { return (struct text){MODEL, sizeof MODEL - 1}; }

EXPORT void *LLVMBuildCall2(void *builder, void *type, void *function, void **values, unsigned count, const char *name) {
	find_llvm();
	size_t length = 0;
	const char *called = count == 3 ? llvm.name_of(function, &length) : "";
	if (length >= sizeof FUSED && !strncmp(called, FUSED, sizeof FUSED - 1)) {
		void *product = llvm.build_mul(builder, values[0], values[1], "");
		void *sum = llvm.build_add(builder, product, values[2], name);
		if (llvm.as_instruction(sum)) return sum; /* else all is constant, and LLVM itself computes it */
	}
	return llvm.build_call(builder, type, function, values, count, name);
}

/* Mesa marks the call that it believes to have been given. */
EXPORT void LLVMAddCallSiteAttribute(void *call, unsigned index, void *attribute) {
	find_llvm();
	if (llvm.as_call(call)) llvm.add_attribute(call, index, attribute);
}

const char *pinned_arithmetic(void) { return find_llvm() ? MODEL " without fused multiply-add" : ""; }

#else

const char *pinned_arithmetic(void) { return ""; }

#endif
