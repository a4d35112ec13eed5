# The commands of `make demo`, one a line: each is shown, then run. Exit code 1 (findings) does not end the demo.
while IFS= read -r command; do
    printf '\n$ %s\n' "$command"
    status=0
    eval "$command" </dev/null || status=$?
    [ "$status" -le 1 ] || exit "$status"
done <<'END'
cardlore games
cardlore match magus "HARCOS kalandozó lap"
cardlore explain magus "HARCOS kalandozó lap" "Organ Rion"
cardlore query which-cards-interact --set card=magusc:rutilicus
cardlore cases magus
END
