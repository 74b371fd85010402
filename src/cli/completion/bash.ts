import type { CommandWords, Values } from "./words.ts";

/** Works with bash alone, without the package of completions. */
export function bashCompletion(commands: readonly CommandWords[]): string {
  const names = commands.map(({ name }) => name).join(" ");
  return `# Completion of ferry for bash. Made by: ferry completion bash
_ferry_plans() {
  local plan
  for plan in plans/*.yaml plans/*.yml plans/*.json; do
    [ -e "$plan" ] || continue
    plan=\${plan#plans/}
    plan=\${plan%.*}
    # None that is refused: words are told apart by blanks.
    case $plan in *[[:space:]]* | .* | *.) continue ;; esac
    printf '%s\\n' "$plan"
  done
}

_ferry_words() {
  local word
  COMPREPLY=()
  while IFS= read -r word; do [[ $word == "$2"* ]] && COMPREPLY+=("$word"); done <<< "\${1// /$'\\n'}"
}

# Several words with commas between: what is there already is not offered again.
_ferry_list() {
  local begun="" words="" word
  [[ $2 == *,* ]] && begun=\${2%,*},
  for word in $1; do [[ ,$begun == *,$word,* ]] || words="$words $begun$word"; done
  _ferry_words "\${words# }" "$2"
}

_ferry_files() {
  local word
  compopt -o filenames 2> /dev/null
  while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen "$1" -- "$2")
}

_ferry() {
  local current=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD - 1]} command="" flag="" place=0 i word
  COMPREPLY=()
  # Where a flag and its value are joined by = they come as three words.
  if [ "$current" = "=" ]; then current="" flag=$before
  elif [ "$before" = "=" ]; then flag=\${COMP_WORDS[COMP_CWORD - 2]}
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    case $word in
      =) ;;
      -*)
        if _ferry_takes "$command" "$word"; then
          if [ "\${COMP_WORDS[i + 1]}" = "=" ]; then i=$((i + 2)); else i=$((i + 1)); fi
          [ "$i" -ge "$COMP_CWORD" ] && flag=$word
        fi
        ;;
      *) if [ -z "$command" ]; then command=$word; else place=$((place + 1)); fi ;;
    esac
  done
  if [ -n "$flag" ]; then _ferry_value "$command" "$flag" "$current"; return; fi
  if [ -z "$command" ]; then _ferry_words "${names} --help --version" "$current"; return; fi
  if [[ $current == -* ]]; then _ferry_flags "$command" "$current"; return; fi
  case $command:$place in
${commands.flatMap(places).join("\n")}
  esac
}

_ferry_flags() {
  case $1 in
${commands.map(({ name, flags }) => `    ${name}) _ferry_words "${flags.flatMap((flag) => flag.names).join(" ")}" "$2" ;;`).join("\n")}
  esac
}

_ferry_takes() {
  case $1:$2 in
${commands.flatMap(taking).join("\n")}
  esac
  return 1
}

_ferry_value() {
  case $1:$2 in
${commands.flatMap(values).join("\n")}
  esac
}

complete -F _ferry ferry
`;
}

function places({ name, places }: CommandWords): readonly string[] {
  return places.map(
    ({ values, repeats }, at) => `    ${name}:${repeats ? "*" : at}) ${offered(values, "$current")} ;;`,
  );
}

function taking({ name, flags }: CommandWords): readonly string[] {
  const names = flags.flatMap((flag) => (flag.takes === undefined ? [] : flag.names));
  return names.length === 0 ? [] : [`    ${names.map((flag) => `${name}:${flag}`).join(" | ")}) return 0 ;;`];
}

function values({ name, flags }: CommandWords): readonly string[] {
  return flags.flatMap(({ names, takes }) =>
    takes === undefined || takes.values === "text"
      ? []
      : [`    ${names.map((flag) => `${name}:${flag}`).join(" | ")}) ${offered(takes.values, "$3")} ;;`],
  );
}

function offered(values: Values, current: string): string {
  switch (values) {
    case "plan":
      return `_ferry_words "$(_ferry_plans)" "${current}"; _ferry_files -f "${current}"`;
    case "file":
      return `_ferry_files -f "${current}"`;
    case "folder":
      return `_ferry_files -d "${current}"`;
    case "text":
      return ":";
    default:
      return `_ferry_${values.list === true ? "list" : "words"} "${values.words.join(" ")}" "${current}"`;
  }
}
