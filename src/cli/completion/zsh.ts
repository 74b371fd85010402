import type { CommandWords, FlagWords, Values } from "./words.ts";

export function zshCompletion(commands: readonly CommandWords[]): string {
  return `#compdef ferry
# Completion of ferry for zsh. Made by: ferry completion zsh
_ferry_plans() {
  local -a found
  found=(plans/*.(yaml|yml|json)(N:t:r))
  (( $#found )) && compadd -a found
  _files -g '*.(yaml|yml|json)'
}

_ferry() {
  local context state line curcontext="$curcontext"
  local -a commands
  _arguments -C '(- *)'{-h,--help}'[display help]' '(- *)'{-V,--version}'[the version]' '1:command:->command' '*::argument:->rest'
  case $state in
    command)
      commands=(
${commands.map(({ name, summary }) => `        ${quoted(`${name}:${summary}`)}`).join("\n")}
      )
      _describe command commands
      ;;
    rest)
      case $words[1] in
${commands.map(command).join("\n")}
      esac
      ;;
  esac
}

if [ "$funcstack[1]" = "_ferry" ]; then _ferry "$@"; else compdef _ferry ferry; fi
`;
}

function command({ name, flags, places }: CommandWords): string {
  const specs = [
    ...flags.flatMap(flagSpecs),
    ...places.map(({ name, values, repeats }, at) =>
      quoted(`${repeats ? "*" : at + 1}:${escaped(name)}:${offered(values)}`),
    ),
  ];
  return `        ${name})\n          _arguments \\\n${specs.map((spec) => `            ${spec}`).join(" \\\n")}\n          ;;`;
}

/** One for each name; those of one flag exclude each other, unless it may be repeated. */
function flagSpecs({ names, summary, repeats, takes }: FlagWords): readonly string[] {
  const value = takes === undefined ? "" : `:${escaped(takes.name)}:${offered(takes.values)}`;
  return names.map((name) => {
    const before = repeats ? "*" : names.length > 1 ? `(${names.join(" ")})` : "";
    const joined = takes !== undefined && name.startsWith("--") ? "=" : "";
    return quoted(`${before}${name}${joined}[${escaped(summary)}]${value}`);
  });
}

function offered(values: Values): string {
  switch (values) {
    case "plan":
      return "_ferry_plans";
    case "file":
      return "_files";
    case "folder":
      return "_files -/";
    case "text":
      return " ";
    default:
      return values.list === true
        ? `_values -s , word ${values.words.join(" ")}`
        : `(${values.words.map((word) => word.replaceAll(/[*:]/g, "\\$&")).join(" ")})`;
  }
}

function escaped(text: string): string {
  return text.replaceAll(/[\\[\]:]/g, "\\$&");
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
