#!/bin/sh
# Runs in the workspace. What it leaves in game/ counts.
set -eu
cp -R "$GAMECRAFT_PROFILE_FOLDER"/game/. game/
title=$(sed -n 's/^# *//p' "$GAMECRAFT_INSTRUCTION_FILE" | head -n 1)
printf '%s' "$title" > game/title.txt
echo "a placard that says: $title" # goes to agent.log
echo '{"cost_usd": 0.01}' > "$HOME/usage.json"
