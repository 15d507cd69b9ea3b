"""Making engine and renderer compute alike on different processors, and saying which processor this is.

The other half is native/processor.c: what Mesa compiles for the processor cannot be said by a variable.
"""

from pathlib import Path

# glibc has two versions of sin, exp, pow, …: with FMA the last bit differs in one result of some hundred.
MATHS = "glibc.cpu.hwcaps=-FMA,-FMA4"

SAME_ARITHMETIC = {
    "GLIBC_TUNABLES": MATHS,
    # llvmpipe otherwise picks its vector width by processor, and 128 aborts in its compiler
    "LP_NATIVE_VECTOR_WIDTH": "256",
    # for Mesa this is "no AVX-512": the same machine code wherever there is AVX2
    "GALLIUM_OVERRIDE_CPU_CAPS": "avx",
}

_TELLING = ("sse4_1", "avx", "avx2", "fma", "f16c", "avx512f")


def this_processor() -> str:
    """Model and what rounding could depend on; stands beside evidence, never in its hash."""
    facts: dict[str, str] = {}
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines():
            name, _, value = line.partition(":")
            facts.setdefault(name.strip(), value.strip())
    except OSError:
        return "unknown"
    flags = facts.get("flags", "").split()
    return " ".join([facts.get("model name", "unknown"), *(f"+{flag}" for flag in _TELLING if flag in flags)])
