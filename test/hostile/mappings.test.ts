import { describe } from "vitest";
import type { FileRow } from "./support/kept.ts";
import { altered, edit, folder, kept, put } from "./support/kept.ts";
import type { Loose } from "./support/loose.ts";

const terms = "mappings/dev--prod/terms.json";
const rules = "mappings/dev--prod/rules.json";
const abandoned = "mappings/dev--prod/_abandoned.json";

/** The first entry of a mapping. */
const entry = (change: (one: Loose) => void): FileRow[1] =>
  altered(terms, (file) => change(Object.values(file.entries)[0]));
const term = (number: number): string =>
  `urn:data:dev:catalog:term:00000000-0000-4000-8000-00000000000${number}`;

describe("mappings", () => {
  // oxfmt-ignore
  kept("a mapping", [
    ["of nothing", put(terms, ""), "diff move", 1, "mappings/dev--prod/terms.json is damaged at line 1, column 1: it ends too early"],
    ["of blanks", put(terms, " \n"), "diff move", 1, "mappings/dev--prod/terms.json is damaged at line 2, column 1: it ends too early"],
    ["of words", put(terms, "none yet\n"), "diff move", 1, "mappings/dev--prod/terms.json is damaged at line 1, column 1: it is not JSON there"],
    ["of null", put(terms, "null"), "diff move", 1, "mappings/dev--prod/terms.json is not as expected at line 1, column 1: expected a map, found nothing"],
    ["of a list", put(terms, "[]"), "diff move", 1, "mappings/dev--prod/terms.json is not as expected at line 1, column 1: expected a map, found a list"],
    ["of an object without anything", put(terms, "{}"), "diff move", 1, "mappings/dev--prod/terms.json is not as expected at line 1, column 1 (format): it is missing"],
    ["of bytes", put(terms, Buffer.from([0, 1, 2, 255, 254, 0])), "diff move", 1, "mappings/dev--prod/terms.json is not text in UTF-8"],
    ["of UTF-16", put(terms, Buffer.from("{}", "utf16le")), "diff move", 1, "mappings/dev--prod/terms.json is damaged at line 1, column 2: it is not JSON there"],
    ["that is a folder", folder(terms), "diff move", 1, "cannot read mappings/dev--prod/terms.json: it is a folder"],
    ["that ends early", edit(terms, (text) => text.slice(0, -30)), "apply move --yes", 1, "mappings/dev--prod/terms.json is damaged at line 10, column 349: it is not JSON there"],
    ["with a comma too many", edit(terms, (text) => text.replace(/\n {2}\}\n\}/, ",\n  }\n}")), "diff move", 1, "mappings/dev--prod/terms.json is damaged at line 11, column 3: it is not JSON there"],
    ["with a comma too few", edit(terms, (text) => text.replace(/\},\n {4}"urn/, '}\n    "urn')), "diff move", 1, "mappings/dev--prod/terms.json is damaged at line 10, column 5: it is not JSON there"],
    ["with a comment", edit(terms, (text) => `// ours\n${text}`), "diff move", 1, "mappings/dev--prod/terms.json is damaged at line 1, column 1: it is not JSON there"],
    ["with the marks of a merge", edit(terms, (text) => `<<<<<<< HEAD\n${text}=======\n${text}>>>>>>> theirs\n`), "diff move", 1, "mappings/dev--prod/terms.json holds an unsettled merge (git conflict markers) at line 1, column 1"],
    ["with the marks of a merge among its entries", edit(terms, (text) => text.replace('    "urn', '<<<<<<< HEAD\n=======\n>>>>>>> theirs\n    "urn')), "apply move --yes", 1, "mappings/dev--prod/terms.json holds an unsettled merge (git conflict markers) at line 9, column 1"],
    ["with a byte order mark", edit(terms, (text) => `\uFEFF${text}`), "diff move", 0, "1 change to make. Nothing was written."],
    ["with other line ends", edit(terms, (text) => text.replaceAll("\n", "\r\n")), "diff move", 0, "1 change to make. Nothing was written."],
    ["with one entry twice", edit(terms, (text) => text.replace(/( {4}"urn.*\n)/, "$1$1")), "diff move", 1, /says "urn:.+" twice, the second time at line 10, column 5/],
    ["with its kind twice", edit(terms, (text) => text.replace('  "kind"', '  "kind": "rules",\n  "kind"')), "diff move", 1, 'mappings/dev--prod/terms.json says "kind" twice, the second time at line 5, column 3'],
    ["with one target twice", altered(terms, (file) => { const [one, two] = Object.values<Loose>(file.entries); two.target = one.target; }), "diff move", 1, "mappings/dev--prod/terms.json gives two terms the same target"],
    ["of another kind", altered(terms, (file) => { file.kind = "rules"; }), "diff move", 1, 'mappings/dev--prod/terms.json is not as expected at line 4, column 11 (kind): it holds the mapping of "rules"'],
    ["of a kind that is a number", altered(terms, (file) => { file.kind = 7; }), "diff move", 1, "mappings/dev--prod/terms.json is not as expected at line 4, column 11 (kind): expected a text, found a number"],
    ["of a newer format", altered(terms, (file) => { file.format = 99; }), "diff move", 1, "mappings/dev--prod/terms.json was written by a newer version of ferry: its format is 99, this one knows up to 1"],
    ["of a format that is a text", altered(terms, (file) => { file.format = "1"; }), "diff move", 1, "mappings/dev--prod/terms.json is not as expected at line 2, column 13 (format): expected a number, found a text"],
    ["of a format of nothing", altered(terms, (file) => { file.format = 0; }), "diff move", 1, "mappings/dev--prod/terms.json is not as expected at line 2, column 13 (format): it must be at least 1"],
    ["of half a format", altered(terms, (file) => { file.format = 1.5; }), "diff move", 1, "mappings/dev--prod/terms.json is not as expected at line 2, column 13 (format): expected a whole number, found a number"],
    ["without a format", altered(terms, (file) => { delete file.format; }), "diff move", 1, "mappings/dev--prod/terms.json is not as expected at line 1, column 1 (format): it is missing"],
    ["without a tool", altered(terms, (file) => { delete file.tool; }), "diff move", 1, "mappings/dev--prod/terms.json is not as expected at line 1, column 1 (tool): it is missing"],
    ["with a serial that is a text", altered(terms, (file) => { file.serial = "1"; }), "diff move", 1, "mappings/dev--prod/terms.json is not as expected at line 5, column 13 (serial): expected a number, found a text"],
    ["with a serial below nothing", altered(terms, (file) => { file.serial = -1; }), "diff move", 1, "mappings/dev--prod/terms.json is not as expected at line 5, column 13 (serial): it must be at least 0"],
    ["with a serial beyond all numbers", edit(terms, (text) => text.replace(/"serial": \d+/, '"serial": 1e400')), "diff move", 1, "mappings/dev--prod/terms.json is not as expected at line 5, column 13 (serial): expected a number, found a number beyond all numbers"],
    ["of another target", altered(terms, (file) => { file.target.baseUrl = "https://prod.example.com"; }), "diff move", 1, "mappings/dev--prod/terms.json belongs to other environments: its target is prod (https://prod.example.com, tenant prod), the plan's is prod"],
    ["of another tenant", altered(rules, (file) => { file.source.tenant = "other"; }), "apply move --yes", 1, "mappings/dev--prod/rules.json belongs to other environments: its source is dev (http://here/dev, tenant other), the plan's is dev (http://here/dev,"],
    ["of source and target by turns", altered(terms, (file) => { [file.source, file.target] = [file.target, file.source]; }), "diff move", 1, "mappings/dev--prod/terms.json belongs to other environments: its source is prod (http://here/prod, tenant prod), the plan's is dev (http://here/dev,"],
    ["without a source", altered(terms, (file) => { delete file.source; }), "diff move", 1, "mappings/dev--prod/terms.json is not as expected at line 1, column 1 (source): it is missing"],
    ["whose target is a text", altered(terms, (file) => { file.target = "prod"; }), "diff move", 1, "mappings/dev--prod/terms.json is not as expected at line 11, column 13 (target): expected a map, found a text"],
    ["whose entries are a list", altered(terms, (file) => { file.entries = []; }), "diff move", 1, "mappings/dev--prod/terms.json is not as expected at line 16, column 14 (entries): expected a map, found a list"],
    ["without entries", altered(terms, (file) => { delete file.entries; }), "diff move", 1, "mappings/dev--prod/terms.json is not as expected at line 1, column 1 (entries): it is missing"],
    ["whose entry is null", altered(terms, (file) => { file.entries[term(1)] = null; }), "diff move", 1, /at line 35, column 71 \((?:entries|objects)\..+\): expected a map, found nothing/],
    ["whose entry is a text", altered(terms, (file) => { file.entries[term(1)] = term(2); }), "diff move", 1, /at line 35, column 71 \((?:entries|objects)\..+\): expected a map, found a text/],
    ["whose entry has no name", entry((one) => { delete one.name; }), "diff move", 1, /at line 17, column 71 \((?:entries|objects)\..+\.name\): it is missing/],
    ["whose entry has a number for a name", entry((one) => { one.name = 7; }), "diff move", 1, /at line 18, column 15 \((?:entries|objects)\..+\.name\): expected a text, found a number/],
    ["whose entry has no target", entry((one) => { delete one.target; }), "diff move", 1, /at line 17, column 71 \((?:entries|objects)\..+\.target\): it is missing/],
    ["whose entry has a list for a target", entry((one) => { one.target = []; }), "diff move", 1, /at line 19, column 17 \((?:entries|objects)\..+\.target\): expected a text, found a list/],
    ["whose entry has half a URN for a target", entry((one) => { one.target = one.target.slice(0, -3); }), "diff move", 1, /terms\.json is damaged: in the line of ".+" the target "urn:.+" of urn:.+ is no URN/],
    ["whose entry has nothing for a target", entry((one) => { one.target = ""; }), "apply move --yes", 1, /terms\.json is damaged: in the line of ".+" the target "" of urn:.+ is no URN/],
    ["with half a URN for a source", edit(terms, (text) => text.replace(/( {4}"urn:[^"]+)[^"]{3}"/, '$1"')), "apply move --yes", 1, /terms\.json is damaged: in the line of ".+" the source "urn:.+" is no URN/],
    ["whose source has lost its beginning", edit(terms, (text) => text.replace('    "urn:', '    "')), "diff move", 1, /terms\.json is damaged: in the line of ".+" the source ".+" is no URN/],
    ["whose entry has an origin that nobody knows", entry((one) => { one.origin = "stolen"; }), "diff move", 1, /at line 20, column 17 \((?:entries|objects)\..+\.origin\): it is none of created, adopted, explicit, paired/],
    ["whose entry has a number for a print", entry((one) => { one.sourceFingerprint = 7; }), "diff move", 1, /at line 21, column 28 \((?:entries|objects)\..+\.sourceFingerprint\): expected a text, found a number/],
    ["whose entry has a list for its keys", entry((one) => { one.keys = []; }), "diff move", 1, /at line 25, column 15 \((?:entries|objects)\..+\.keys\): expected a map, found a list/],
    ["whose entry keeps a field with a number", entry((one) => { one.kept = { "/name": 7 }; }), "diff move", 1, /\.kept\..+: expected a text, found a number/],
    ["whose entry has a number for a key", entry((one) => { one.keys = { a: 1 }; }), "diff move", 1, /at line 26, column 14 \((?:entries|objects)\..+\.keys\.a\): expected a text, found a number/],
    ["whose entry has a text for what is left", entry((one) => { one.left = "all"; }), "diff move", 1, /at line 25, column 15 \((?:entries|objects)\..+\.left\): expected a list, found a text/],
    ["whose entry has a text for its former twin", entry((one) => { one.former = "urn"; }), "diff move", 1, /at line 25, column 17 \((?:entries|objects)\..+\.former\): expected a map, found a text/],
    ["whose entry has a number for its run", entry((one) => { one.run = 7; }), "diff move", 1, /at line 24, column 14 \((?:entries|objects)\..+\.run\): expected a text, found a number/],
    ["with a source named __proto__", edit(terms, (text) => text.replace('    "urn', '    "__proto__": {"name":"x","target":7,"origin":"created"},\n    "urn')), "diff move", 1, "mappings/dev--prod/terms.json is not as expected at line 9, column 39 (entries.__proto__.target): expected a text, found a number"],
    ["with a name that colours a terminal, and a fault", entry((one) => { one.name = "\u001b[31mred"; one.origin = "\u001b[31mred"; }), "diff move", 1, /at line 20, column 17 \((?:entries|objects)\..+\.origin\): it is none of created, adopted, explicit, paired/],
    ["with 100,000 levels", edit(terms, (text) => text.replace('"entries": {', `"own": ${"[".repeat(100_000)}${"]".repeat(100_000)},\n  "entries": {`)), "diff move", 0, "1 change to make. Nothing was written."],
    ["that ends early, for status", edit(terms, (text) => text.slice(0, -30)), "status move", 1, "mappings/dev--prod/terms.json is damaged at line 10, column 349: it is not JSON there"],
    ["that ends early, for a list of pairs", edit(terms, (text) => text.slice(0, -30)), "mappings move list", 1, "mappings/dev--prod/terms.json is damaged at line 10, column 349: it is not JSON there"],
    ["that ends early, for a rollback", edit(terms, (text) => text.slice(0, -30)), "rollback move --yes --allow-delete", 1, "mappings/dev--prod/terms.json is damaged at line 10, column 349: it is not JSON there"],
    ["that ends early, for the doctor", edit(terms, (text) => text.slice(0, -30)), "doctor move", 1, "files: state: mappings/dev--prod/terms.json is damaged at line 10, column 349: it is not JSON there"],
  ]);

  const whole = { format: 2, source: {}, target: {}, objects: {} };
  /** As the tool writes it, of these environments. */
  const list =
    (change: (file: Loose) => void): FileRow[1] =>
    (stage) => {
      const { source, target } = JSON.parse(stage.read(terms));
      const file = { ...structuredClone(whole), source, target };
      change(file);
      stage.write(abandoned, JSON.stringify(file, null, 2));
    };
  const left = { name: "Customer", step: "create", at: "2026-01-01T00:00:00.000Z" };

  // oxfmt-ignore
  kept("the list of what was abandoned", [
    ["of nothing", put(abandoned, ""), "diff move", 1, "mappings/dev--prod/_abandoned.json is damaged at line 1, column 1: it ends too early"],
    ["of words", put(abandoned, "none\n"), "diff move", 1, "mappings/dev--prod/_abandoned.json is damaged at line 1, column 1: it is not JSON there"],
    ["of null", put(abandoned, "null"), "diff move", 1, "mappings/dev--prod/_abandoned.json is not as expected at line 1, column 1: expected a map, found nothing"],
    ["of a list", put(abandoned, "[]"), "diff move", 1, "mappings/dev--prod/_abandoned.json is not as expected at line 1, column 1: expected a map, found a list"],
    ["of bytes", put(abandoned, Buffer.from([0, 255, 254])), "diff move", 1, "mappings/dev--prod/_abandoned.json is not text in UTF-8"],
    ["that is a folder", folder(abandoned), "diff move", 1, "cannot read mappings/dev--prod/_abandoned.json: it is a folder"],
    ["with the marks of a merge", put(abandoned, "<<<<<<< HEAD\n{}\n=======\n{}\n>>>>>>> theirs\n"), "apply move --yes", 1, "mappings/dev--prod/_abandoned.json holds an unsettled merge (git conflict markers) at line 1, column 1"],
    ["of a newer format", list((file) => { file.format = 99; }), "diff move", 1, "mappings/dev--prod/_abandoned.json was written by a newer version of ferry: its format is 99, this one knows up to 2"],
    ["of other environments", list((file) => { file.target.baseUrl = "https://prod.example.com"; }), "diff move", 1, "mappings/dev--prod/_abandoned.json belongs to other environments: its target is prod (https://prod.example.com, tenant prod), the plan's is prod"],
    ["without its objects", list((file) => { delete file.objects; }), "diff move", 1, "mappings/dev--prod/_abandoned.json is not as expected at line 1, column 1 (objects): it is missing"],
    ["whose objects are a list", list((file) => { file.objects = []; }), "diff move", 1, "mappings/dev--prod/_abandoned.json is not as expected at line 13, column 14 (objects): expected a map, found a list"],
    ["whose kind is a text", list((file) => { file.objects.terms = "all"; }), "diff move", 1, "mappings/dev--prod/_abandoned.json is not as expected at line 14, column 14 (objects.terms): expected a map, found a text"],
    ["whose object is null", list((file) => { file.objects.terms = { [term(1)]: null }; }), "diff move", 1, /at line 15, column 73 \((?:entries|objects)\..+\): expected a map, found nothing/],
    ["whose object has a number for a name", list((file) => { file.objects.terms = { [term(1)]: { ...left, name: 7 } }; }), "diff move", 1, /at line 16, column 17 \((?:entries|objects)\..+\.name\): expected a text, found a number/],
    ["whose object has no step", list((file) => { const { step, ...rest } = left; void step; file.objects.terms = { [term(1)]: rest }; }), "diff move", 1, /at line 15, column 73 \((?:entries|objects)\..+\.step\): it is missing/],
    ["of the first format, without the kind", list((file) => { file.format = 1; file.objects = { [term(1)]: left }; }), "diff move", 1, /at line 15, column 15 \((?:entries|objects)\..+\.name\): expected a map, found a text/],
    ["with one object twice", (stage) => { list((file) => { file.objects.terms = { [term(1)]: left }; })(stage); edit(abandoned, (text) => text.replace(/("urn[^}]*\})/, "$1,$1"))(stage); }, "diff move", 1, /says "urn:.+" twice, the second time at line 19, column 9/],
    ["with an object named __proto__", (stage) => { list((file) => { file.objects.terms = {}; })(stage); edit(abandoned, (text) => text.replace('"terms": {}', `"terms": {"__proto__": 7}`))(stage); }, "diff move", 0, "1 change to make. Nothing was written."],
  ]);
});
