import type { FileRow } from "./support/kept.ts";
import { edit, folder, kept, put, removed } from "./support/kept.ts";

const plan = "plans/move.yaml";
const mark = "Zx9Qm7Kp";
const more = (text: string): FileRow[1] => edit(plan, (before) => `${before}${text}\n`);
const line = (from: string | RegExp, to: string): FileRow[1] =>
  edit(plan, (before) => before.replace(from, to));
const diff = "diff move";

// oxfmt-ignore
kept("a plan that cannot be read", [
  ["that is nowhere", removed(plan), diff, 64, 'there is no plan "move": neither a .yaml, .yml or .json file of that path nor one of that name in plans'],
  ["that is a folder", folder(plan), diff, 64, "it cannot be read: it is a folder"],
  ["of nothing", put(plan, ""), diff, 64, "a plan is a map: version, source, target and so on"],
  ["of a comment", put(plan, "# later\n"), diff, 64, "a plan is a map: version, source, target and so on"],
  ["of null", put(plan, "~"), diff, 64, "a plan is a map: version, source, target and so on"],
  ["of a text", put(plan, "move everything"), diff, 64, "a plan is a map: version, source, target and so on"],
  ["of a list", put(plan, "- a\n- b\n"), diff, 64, "a plan is a map: version, source, target and so on"],
  ["of a number", put(plan, "1e400"), diff, 64, "a plan is a map: version, source, target and so on"],
  ["of bytes", put(plan, Buffer.from([0, 1, 255, 254])), diff, 64, "it is not text in UTF-8"],
  ["of UTF-16", put(plan, Buffer.from("\uFEFFversion: 1\n", "utf16le")), diff, 64, "it is not text in UTF-8"],
  ["of Latin-1", put(plan, Buffer.from("version: 1 # gr\xfc\xdfe\n", "latin1")), diff, 64, "it is not text in UTF-8"],
  ["of more than a plan can hold", more("# x\n".repeat(1_500_000)), diff, 64, "it is larger than 4 MB"],
  ["of a name with a path in it", () => undefined, "diff ../../etc/passwd", 64, 'there is no plan "../../etc/passwd": neither a .yaml, .yml or .json file of that path nor one of that name in plans'],
  ["of a name with a letter missing", () => undefined, "diff mov", 64, "nor one of that name in plans next: Did you mean move?"],
]);

// oxfmt-ignore
kept("a plan that is no YAML", [
  ["with a tab", line("  name: dev", "\tname: dev"), diff, 64, "line 3, column 1: this is not YAML: tabs are not allowed as indentation (and 8 more behind it)"],
  ["with a key twice", line("  realm: dev", "  realm: dev\n  realm: dev"), diff, 64, "line 6, column 3: the keys of a map must be unique"],
  ["with a section twice", more("limits: {}"), diff, 64, "line 34, column 1: the keys of a map must be unique"],
  ["with an open quote", line("realm: dev", 'realm: "dev'), diff, 64, 'line 34, column 1: this is not YAML: a closing " is missing'],
  ["with an open list", more("select: { kinds: [terms }"), diff, 64, "line 34, column 25: this is not YAML: a list must end with a ] (and 1 more behind it)"],
  ["with an open map", more("policy: { adopt: never"), diff, 64, "line 35, column 1: this is not YAML: a map must end with a }"],
  ["with a line that is moved", line("  realm: dev", "   realm: dev"), diff, 64, "line 4, column 12: this is not YAML: there is a second colon, or a map, where one value is expected (and 1 more behind it)"],
  ["with a colon too many", line("realm: dev", "realm: dev: x"), diff, 64, "line 5, column 10: this is not YAML: there is a second colon, or a map, where one value is expected"],
  ["without a blank behind a colon", line("realm: dev", "realm:dev"), diff, 64, "line 5, column 3: this is not YAML: a key goes over several lines, or its colon is missing"],
  ["with an alias of nothing", line("realm: dev", "realm: *dev"), diff, 64, "line 5, column 10: an alias (*) of no anchor"],
  ["with an anchor of nothing", line("realm: dev", "realm: &dev"), diff, 64, "line 5, column 14: an anchor (&) that nothing refers to"],
  ["with an alias of itself", more("policy: &a { adopt: *a }"), diff, 64, "line 34, column 21: an alias (*) that stands for what it is in"],
  ["with aliases of aliases", more(`policy:\n${Array.from({ length: 9 }, (_none, index) => `  a${index}: &a${index} [${Array.from({ length: 10 }, () => (index === 0 ? "x" : `*a${index - 1}`)).join(",")}]`).join("\n")}`), diff, 64, "its aliases (*) stand for too much: more than 1000 nodes"],
  ["with a tag", line("realm: dev", "realm: !realm dev"), diff, 64, "line 5, column 10: this is not YAML: there is a tag (!) that means nothing here"],
  ["with a tag that runs something", line("realm: dev", 'realm: !!js/function "x"'), diff, 64, "line 5, column 10: this is not YAML: there is a tag (!) that means nothing here"],
  ["with an escape that is none", line("realm: dev", 'realm: "\\q"'), diff, 64, "line 5, column 11: this is not YAML: there is no such escape (\\) in double quotes"],
  ["with two documents", more("---\nversion: 1"), diff, 64, "line 34, column 1: this is not YAML: a second document begins; a plan is one"],
  ["with a merge key", more("policy:\n  <<: { adopt: never }"), diff, 64, 'line 35: unknown key in "policy"; it is not shown, since it may be a value that lost its place'],
  ["with the marks of a merge", line("source:", "  ["with a kind that is only paired", more("select: { kinds: [sources] }"), diff, 64, "line 34: \"select.kinds[0]\": there is no such kind next: Kinds: "],
  ["without kinds", more("select: { kinds: [] }"), diff, 64, 'line 34: "select.kinds": it is empty'],
  ["with kinds that are a text", more("select: { kinds: terms }"), diff, 64, 'line 34: "select.kinds": expected a list, found a text'],
  ["with a kind that is a number", more("select: { kinds: [7] }"), diff, 64, 'line 34: "select.kinds[0]": expected a text, found a number'],
  ["with a selector that is a text", more("select: { include: [terms] }"), diff, 64, 'line 34: "select.include[0]": expected a map, found a text'],
  ["with a selector of nothing", more("select: { include: [{}] }"), diff, 0, "1 change to make. Nothing was written."],
  ["with a selector of a kind that nobody knows", more("select: { include: [{ kind: rule }] }"), diff, 64, "line 34: \"select.include[0].kind\": there is no such kind next: Did you mean rules?"],
  ["with a selector that fits nothing", more('select: { include: [{ kind: terms, name: "Nothing*" }] }'), diff, 64, 'nothing at the source matches include: kind terms, name "Nothing*"'],
  ["with a selector of a URN that is none", more("select: { include: [{ urns: [x y] }] }"), diff, 64, "nothing at the source matches include: URN x y"],
  ["with a selector of a file that is nowhere", more("select: { include: [{ file: urns.txt }] }"), diff, 64, 'line 34: "select.include[0].file": the file cannot be read: it does not exist'],
  ["with a selector of a file of another folder", more("select: { include: [{ file: ../../../../../../etc/passwd }] }"), diff, 64, 'line 34: "select.include[0].file": line 1 of the file is no URN'],
  ["with a policy that is a truth", more("policy: { adopt: true }"), diff, 64, 'line 34: "policy.adopt": it is none of identical, by-name, never'],
  ["with a policy with a word that is nearly right", more("policy: { adopt: by-names }"), diff, 64, "line 34: \"policy.adopt\": it is none of identical, by-name, never next: Did you mean by-name?"],
  ["with a policy that is a list", more("policy: [never]"), diff, 64, 'line 34: "policy": expected a map, found a list'],
  ["with an expression that is none", line("^DEV_", "(DEV_"), diff, 64, 'line 25: "pairing.paths[0].pattern": this is not a regular expression'],
  ["with an expression that takes for ever", line("^DEV_", "^(([A-Z_]+)+)+!$"), diff, 0, "catalog-items \"CUSTOMER\": nothing at the target fits it: looked for source \"Snowflake PROD\" (\"Snowflake DEV\" at the source), path \"DEV_SALES/CUSTOMER/CUSTOMER\""],
  ["with a replacement that names no group", line("replace: PROD_", "replace: $9"), diff, 0, "path \"$9SALES/CUSTOMER/CUSTOMER\" (\"DEV_SALES/CUSTOMER/CUSTOMER\" at the source)"],
  ["with a replacement that is a number", line("replace: PROD_", "replace: 7"), diff, 64, 'line 26: "pairing.paths[0].replace": expected a text, found a number'],
  ["with a group that is no UUID", line(/groups:\n.*\n/, "groups:\n    a: b\n"), diff, 64, 'line 28: "pairing.groups.a": it is no UUID'],
  ["with sources that are a list", line(/sources:\n(?: {4}.*\n)+/, "sources: [a]\n"), diff, 64, 'line 15: "pairing.sources": expected a map, found a list'],
  ["with no request at once", line("quietPeriod: 50ms", "concurrency: 0"), diff, 64, 'line 32: "limits.concurrency": it must be at least 1'],
  ["with a million requests at once", line("quietPeriod: 50ms", "concurrency: 1000000"), diff, 64, 'line 32: "limits.concurrency": it must be at most 64'],
  ["with half a request at once", line("quietPeriod: 50ms", "concurrency: 1.5"), diff, 64, 'line 32: "limits.concurrency": expected a whole number, found a number'],
  ["with requests beyond all numbers", line("quietPeriod: 50ms", "concurrency: 1e400"), diff, 64, 'line 32: "limits.concurrency": expected a number, found a number beyond all numbers'],
  ["with a time without a unit that is known", line("50ms", "50 lightyears"), diff, 64, 'line 32: "limits.quietPeriod": write a time such as 60s, 2m or 500ms'],
  ["with a time below nothing", line("50ms", "-5s"), diff, 64, 'line 32: "limits.quietPeriod": write a time such as 60s, 2m or 500ms'],
  ["with no time", line("50ms", "0"), diff, 64, 'line 32: "limits.quietPeriod": it must be more than 0'],
  ["with a time of a year", line("50ms", "9000h"), diff, 64, 'line 32: "limits.quietPeriod": write a time of more than nothing and at most 24h'],
  ["with a size without a unit", line("quietPeriod: 50ms", "answerSize: 64"), diff, 64, 'line 32: "limits.answerSize": write a size such as 64MB, 512KB or 0.25GB'],
  ["with a size beyond what can be held", line("quietPeriod: 50ms", "answerSize: 64GB"), diff, 64, 'line 32: "limits.answerSize": write a size of at least 1KB and at most 500MB'],
  ["with ten faults at once", line("version: 1", "a: 1\nb: 1\nc: 1\nd: 1\ne: 1\nf: 1\ng: 1\nh: 1\ni: 1"), diff, 64, '"version" is missing'],
]);
