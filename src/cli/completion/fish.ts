import type { CommandWords, Values } from "./words.ts";

export function fishCompletion(commands: readonly CommandWords[]): string {
  const taking = new Set(
    commands.flatMap(({ flags }) => flags.flatMap(({ names, takes }) => (takes === undefined ? [] : names))),
  );
  return `# Completion of ferry for fish. Made by: ferry completion fish
function __ferry_plans
  for plan in plans/*.yaml plans/*.yml plans/*.json
    string replace -r '^plans/(.*)\\.\\w+$' '$1' -- $plan
  end
  __fish_complete_suffix .yaml
end

# Several words with commas between: what is there already is not offered again.
function __ferry_list
  set -l begun (commandline -ct | string replace -r '^--[^=]*=' '' | string replace -r '[^,]*$' '')
  for word in $argv
    string match -q -- "*,$word,*" ",$begun"; or printf '%s\\n' "$begun$word"
  end
end

# Whether the word at the cursor is the argument at this place of this command.
function __ferry_at -a command place
  set -l tokens (commandline -opc)
  set -l words
  set -l skip 0
  for token in $tokens[2..-1]
    if test $skip = 1
      set skip 0
    else if contains -- $token ${[...taking].join(" ")}
      set skip 1
    else if not string match -q -- '-*' $token
      set -a words $token
    end
  end
  if test -z "$command"
    return (test (count $words) = 0)
  end
  test "$words[1]" = "$command"; or return 1
  test "$place" = any; and return 0
  test (count $words) = "$place"
end

complete -c ferry -f
complete -c ferry -n '__ferry_at ""' -s h -l help -d 'display help'
complete -c ferry -n '__ferry_at ""' -s V -l version -d 'the version'
${commands.flatMap(lines).join("\n")}
`;
}

function lines({ name, summary, flags, places }: CommandWords): readonly string[] {
  return [
    `complete -c ferry -n '__ferry_at ""' -a ${name} -d ${quoted(summary)}`,
    ...flags.map(({ names, summary, takes }) => {
      const forms = names.map((flag) =>
        flag.startsWith("--") ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`,
      );
      const value = takes === undefined ? "" : ` ${offered(takes.values)}`;
      return `complete -c ferry -n '__ferry_at ${name} any' ${forms.join(" ")}${value} -d ${quoted(summary)}`;
    }),
    ...places.flatMap(({ values, repeats }, at) =>
      values === "text"
        ? []
        : [
            `complete -c ferry -n '__ferry_at ${name} ${repeats ? "any" : at + 1}' ${offered(values).replace(/^-[rx] ?/, "")}`,
          ],
    ),
  ];
}

/** `-x`: a value, and no files; `-r`: a value, and files. */
function offered(values: Values): string {
  switch (values) {
    case "plan":
      return "-x -a '(__ferry_plans)'";
    case "file":
      return "-r -F";
    case "folder":
      return "-x -a '(__fish_complete_directories)'";
    case "text":
      return "-x";
    default:
      return values.list === true
        ? `-x -a '(__ferry_list ${values.words.join(" ")})'`
        : `-x -a ${quoted(values.words.join(" "))}`;
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll(/['\\]/g, "\\$&")}'`;
}
