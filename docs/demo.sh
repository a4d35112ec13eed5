# The commands of `make demo`, one a line: each is shown, then run. Exit code 1 (findings) does not end the demo.
while IFS= read -r command; do
    printf '\n$ %s\n' "$command"
    status=0
    eval "$command" </dev/null || status=$?
    [ "$status" -le 1 ] || exit "$status"
done <<'END'
cardlore games
cardlore match magus "HARCOS kalandozó lap"
cardlore explain magus "HARCOS kalandozó lap"
cardlore query 'SELECT ?label WHERE { ?type a core:CardType ; rdfs:label ?label FILTER(LANG(?label) = "en") } ORDER BY ?label'
cardlore cases magus
END
