"""How large and how deep what strangers hand us may be: projects, submissions, packages, and single files of theirs.

Counted on every package of the two public benchmarks: the largest project there has 261 files in 45 folders, 35.7 MB,
7 levels and paths of 152 bytes; the largest TOML file has 660 bytes, JSON 17 KB, instruction 12 KB.
"""

# A project or a submission, and a package. Beyond these it is refused as a whole.
MAX_FILES = 20_000  # everything that is not a folder counts: links and pipes fill a disk's table too
MAX_FOLDERS = 5_000
MAX_BYTES = 1 << 30  # the larger of length and space on disk, each name of a file counted: hard links are no discount

# Of a single name in it. Beyond these it is left out of a submission, and breaks a package.
MAX_DEPTH = 32
MAX_PATH_BYTES = 1024  # the system's end is 4096, and our own folders stand before it
MAX_NAME_BYTES = 200  # the system's end is 255, and the engine's cache adds up to 50 to a name

# Files that are read as a whole.
MAX_PROJECT_FILE_BYTES = 1 << 20  # project.godot
MAX_READ_ALONE_BYTES = 1 << 20  # scripts, import notes and ids that we read in the editor's place; larger ones it reads
MAX_TEXT_BYTES = 1 << 20  # instruction, hidden test, rubric and any other JSON of a package
MAX_TOML_BYTES = 1 << 18  # its parser takes seconds for a megabyte of the worst kind
MAX_YAML_BYTES = 1 << 18  # the largest of the public benchmark has 22 KB
MAX_YAML_NODES = 50_000  # aliases are written out: a few lines can stand for billions
MAX_PACKAGE_FILE_BYTES = 64 << 20  # any other file of a package
MAX_USAGE_BYTES = 1 << 16  # what an agent says of its own cost

STORED_BYTES = 64 << 20  # of one file of a stored trial that is read as a whole

MAX_ARCHIVE_INDEX_BYTES = 16 << 20  # of a zip: more than MAX_FILES names of the usual length

MAX_NESTING = 64  # of JSON and TOML: far below Python's own end, so that whatever walks the values may recurse
MAX_KEY_PARTS = 32  # of a dotted TOML key: the parser takes quadratic time for them
MAX_ART_FILES = 5_000  # that an art.toml copies
MAX_NOTED = 100  # oddities of a submission that are told one by one
