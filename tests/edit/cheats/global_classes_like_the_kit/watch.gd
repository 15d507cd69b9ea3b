class_name Watch
extends RefCounted

var emissions := [[true], [false]]
