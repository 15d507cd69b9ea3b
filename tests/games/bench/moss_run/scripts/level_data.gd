class_name LevelData
extends RefCounted
## The forest as text, one character per 48 px tile.
## # earth  = plank  B brick  P start  F flag  o coin  C crate  E beetle
## M moving platform  ^ spikes  f fern  m mushroom  b bush  s sign

const HALFWAY := Vector2i(59, 11)

const ROWS: Array[String] = [
	"                                                                                                                            ",
	"                                                                                                                            ",
	"                                                                                                                            ",
	"                                                                                                                            ",
	"                                                                                                                            ",
	"                                                                                                                            ",
	"                                                               oooo                                                         ",
	"                                                               ====                                    oo                   ",
	"            ooo      oo            ooo      ooo      oo   oooo         C       ooo    oo                        ooo         ",
	"                                            ===           ====         CCC     BBB                                          ",
	"       ooo                  C  C   ###                              f #####              f   b ^  Em   M    ooo             ",
	" f P s   b  ###  m      f b CC CC #### f ^^b  E  m   M    f b E  m ######## C f   E mC  #############      b  CC### f F  m  ",
	"#####################  ############################      #############################  #############      #################",
	"#####################  ############################      #############################  #############      #################",
	"#####################  ############################      #############################  #############      #################",
]
