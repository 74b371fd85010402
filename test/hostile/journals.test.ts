import { readdirSync, readFileSync } from "node:fs";
import { Bytes } from "../../src/store/files/bytes.ts";
import { LineEncoder } from "../../src/store/files/journal-line.ts";
import type { Stage } from "../cli/support/stage.ts";
import type { Damage } from "./support/kept.ts";
import { edit, folder, kept, put, removed } from "./support/kept.ts";

const journal = "mappings/dev--prod/journal.ndjson";

/** The journal of the run, as it was before it ended, in other lines. */
const lines =
  (change: (lines: string[]) => readonly string[]): Damage =>
  (stage) => {
    const all = runOf(stage).trimEnd().split("\n");
    stage.write(journal, `${change(all).join("\n")}\n`);
  };

/** Beside the reports of the runs. */
function journalOf(stage: Stage): string {
  return readdirSync(stage.path("plans/move/runs")).find((name) => name.endsWith(".ndjson")) ?? "";
}

function runOf(stage: Stage): string {
  const run = journalOf(stage);
  return readFileSync(stage.path("plans/move/runs", run), "utf8");
}

/** Without its last lines, which would end the run: a journal of a run that was killed. */
const text =
  (change: (text: string) => string): Damage =>
  (stage) => {
    stage.write(journal, change(runOf(stage)));
  };

const party = (name: string, baseUrl: string): object => ({ name, baseUrl, tenant: name });

/** A journal whose checksums are right, whatever it holds: its header is the tool's own but for these fields. */
function headed(fields: object, stage: Stage, records: readonly unknown[] = []): string {
  const own = JSON.parse(stage.read(journal).slice(9)) as object;
  const encoder = new LineEncoder();
  const lines = new Bytes();
  for (const record of [{ ...own, ...fields }, ...records]) encoder.add(lines, JSON.stringify(record), true);
  return lines.view().toString();
}

// oxfmt-ignore
kept("a journal", [
  ["of nothing", put(journal, ""), "diff move", 1, "mappings/dev--prod/journal.ndjson is damaged at line 1: the file is empty, without the header of a journal"],
  ["of blanks", put(journal, "\n\n"), "diff move", 1, "mappings/dev--prod/journal.ndjson is damaged at line 1: it is not the header of a journal"],
  ["of words", put(journal, "dear journal\n"), "diff move", 1, "mappings/dev--prod/journal.ndjson is damaged at line 1: it is not the header of a journal"],
  ["of JSON", put(journal, "{}\n"), "diff move", 1, "mappings/dev--prod/journal.ndjson is damaged at line 1: it is not the header of a journal"],
  ["of bytes", put(journal, Buffer.from([0, 1, 2, 255, 10, 3])), "diff move", 1, "mappings/dev--prod/journal.ndjson is damaged at line 1: it is not the header of a journal"],
  ["of zeros", put(journal, Buffer.alloc(4_096)), "diff move", 1, "mappings/dev--prod/journal.ndjson is damaged at line 1: it is not the header of a journal"],
  ["of UTF-16", put(journal, Buffer.from("00000000 {}\n", "utf16le")), "diff move", 1, "mappings/dev--prod/journal.ndjson is damaged at line 1: it is not the header of a journal"],
  ["that is a folder", folder(journal), "diff move", 1, "cannot read mappings/dev--prod/journal.ndjson: it is a folder"],
  ["that is not there", removed(journal), "diff move", 0, "1 change to make. Nothing was written."],
  ["without its header", lines((all) => all.slice(1)), "diff move", 1, "mappings/dev--prod/journal.ndjson is damaged at line 1: it is not the header of a journal"],
  ["with two headers", lines((all) => [all[0] ?? "", ...all]), "diff move", 1, "mappings/dev--prod/journal.ndjson is damaged at line 2: its checksum is wrong, or it does not follow the line before it: it was changed, or lines"],
  ["with half a header", put(journal, '00000000 {"type":"header","for'), "diff move", 1, "mappings/dev--prod/journal.ndjson is damaged at line 1: it is not the header of a journal"],
  ["without a line in its middle", lines((all) => all.toSpliced(3, 1)), "diff move", 1, "mappings/dev--prod/journal.ndjson is damaged at line 4: its checksum is wrong, or it does not follow the line before it: it was changed, or lines"],
  ["without all lines but the first and the last", lines((all) => [all[0] ?? "", all.at(-1) ?? ""]), "diff move", 1, "mappings/dev--prod/journal.ndjson is damaged at line 2: its checksum is wrong, or it does not follow the line before it: it was changed, or lines"],
  ["with a line twice", lines((all) => all.toSpliced(3, 0, all[3] ?? "")), "diff move", 1, "mappings/dev--prod/journal.ndjson is damaged at line 5: its checksum is wrong, or it does not follow the line before it: it was changed, or lines"],
  ["with two lines in another order", lines((all) => all.with(3, all[4] ?? "").with(4, all[3] ?? "")), "diff move", 1, "mappings/dev--prod/journal.ndjson is damaged at line 4: its checksum is wrong, or it does not follow the line before it: it was changed, or lines"],
  ["with all lines twice", lines((all) => [...all, ...all]), "diff move", 1, "mappings/dev--prod/journal.ndjson is damaged at line 58: its checksum is wrong, or it does not follow the line before it: it was changed, or lines"],
  ["with a line of somebody else", lines((all) => all.toSpliced(3, 0, "remember the milk")), "diff move", 1, "mappings/dev--prod/journal.ndjson is damaged at line 4: its checksum is wrong, or it does not follow the line before it: it was changed, or lines"],
  ["with an empty line", lines((all) => all.toSpliced(3, 0, "")), "diff move", 1, "mappings/dev--prod/journal.ndjson is damaged at line 4: its checksum is wrong, or it does not follow the line before it: it was changed, or lines"],
  ["with an empty line at its end", lines((all) => [...all, ""]), "diff move", 1, "mappings/dev--prod/journal.ndjson is damaged at line 58: its checksum is wrong, or it does not follow the line before it: it was changed, or lines"],
  ["with another checksum", lines((all) => all.with(3, `deadbeef${(all[3] ?? "").slice(8)}`)), "diff move", 1, "mappings/dev--prod/journal.ndjson is damaged at line 4: its checksum is wrong, or it does not follow the line before it: it was changed, or lines"],
  // One of letters: a checksum may be of digits alone.
  ["with a checksum in capital letters", lines((all) => { const at = all.findIndex((line, index) => index > 1 && /^[0-9a-f]{0,7}[a-f]/.test(line)); return all.with(at, (all[at] ?? "").replace(/^\S{8}/, (sum) => sum.toUpperCase())); }), "diff move", 1, "its checksum is wrong, or it does not follow the line before it: it was changed, or lines"],
  ["with a line that ends early", lines((all) => all.with(3, (all[3] ?? "").slice(0, 40))), "diff move", 1, "mappings/dev--prod/journal.ndjson is damaged at line 4: its checksum is wrong, or it does not follow the line before it: it was changed, or lines"],
  ["with a letter that is another", lines((all) => all.with(3, (all[3] ?? "").replace("(primary)", "(Primary)"))), "diff move", 1, "mappings/dev--prod/journal.ndjson is damaged at line 4: its checksum is wrong, or it does not follow the line before it: it was changed, or lines"],
  ["with a line feed that was lost", text((all) => { const at = all.indexOf("\n", all.indexOf("\n") + 1); return all.slice(0, at) + all.slice(at + 1); }), "diff move", 1, "mappings/dev--prod/journal.ndjson is damaged at line 2: its checksum is wrong, or it does not follow the line before it: it was changed, or lines"],
  ["with zeros in its middle", lines((all) => all.with(3, "\0".repeat(200))), "diff move", 1, "mappings/dev--prod/journal.ndjson is damaged at line 4: a part of it is zeros, and later lines were written behind it"],
  ["with the marks of a merge", lines((all) => all.toSpliced(2, 0, "<<<<<<< HEAD", "=======", ">>>>>>> theirs")), "diff move", 1, "mappings/dev--prod/journal.ndjson holds an unsettled merge (git conflict markers) at line 3"],
  ["with the marks of a merge at its end", lines((all) => [...all, "<<<<<<< HEAD", "=======", ">>>>>>> theirs"]), "diff move", 1, "mappings/dev--prod/journal.ndjson holds an unsettled merge (git conflict markers) at line 58"],
  // The checksums say which line comes first: now and then it is the header, and the damage is further down.
  ["sorted", lines((all) => all.toSorted()), "diff move", 1, /mappings\/dev--prod\/journal\.ndjson is damaged at line (?:1: it is not the header of a journal|\d+: its checksum is wrong)/],
  ["the wrong way round", lines((all) => all.toReversed()), "diff move", 1, "mappings/dev--prod/journal.ndjson is damaged at line 1: it is not the header of a journal"],
  ["of other environments", (stage) => { stage.write(journal, headed({ parties: { source: party("dev", "https://dev.example.com"), target: party("prod", "https://prod.example.com") } }, stage)); }, "diff move", 1, "mappings/dev--prod/journal.ndjson belongs to other environments: its source is dev (https://dev.example.com, tenant dev), the plan's is dev"],
  ["of a newer format", (stage) => { stage.write(journal, headed({ format: 99 }, stage)); }, "diff move", 1, "mappings/dev--prod/journal.ndjson was written by a newer version of ferry: its format is 99, this one knows up to 2"],
  ["of a format that is a text", (stage) => { stage.write(journal, headed({ format: "2" }, stage)); }, "diff move", 1, "mappings/dev--prod/journal.ndjson is damaged at line 1: it is not the header of a journal"],
  ["without its environments", (stage) => { stage.write(journal, headed({ parties: undefined }, stage)); }, "diff move", 1, "mappings/dev--prod/journal.ndjson is damaged at line 1: it is not the header of a journal"],
  ["with a record that is none", (stage) => { stage.write(journal, headed({}, stage, [7])); }, "diff move", 1, "mappings/dev--prod/journal.ndjson is damaged at line 2: it is no record"],
  ["with a record whose items are a text", (stage) => { stage.write(journal, headed({}, stage, [{ type: "intent", run: "r", op: "1", kind: "terms", step: "create", items: "all" }])); }, "diff move", 1, "mappings/dev--prod/journal.ndjson is damaged at line 2: its items is not as expected (expected a list, found a text)"],
  ["with an outcome that nobody knows", (stage) => { stage.write(journal, headed({}, stage, [{ type: "outcome", op: "1", items: [{ source: "x", result: "maybe" }] }])); }, "diff move", 1, "mappings/dev--prod/journal.ndjson is damaged at line 2: its items.0.result is not as expected (it is nothing that may stand here)"],
  ["with other line ends and a byte order mark", edit(journal, (all) => `\uFEFF${all.replaceAll("\n", "\r\n")}`), "diff move", 0, "1 change to make. Nothing was written."],
  ["with a line twice, for apply", lines((all) => all.toSpliced(3, 0, all[3] ?? "")), "apply move --yes", 1, "mappings/dev--prod/journal.ndjson is damaged at line 5: its checksum is wrong, or it does not follow the line before it: it was changed, or lines"],
  ["with a line twice, for status", lines((all) => all.toSpliced(3, 0, all[3] ?? "")), "status move", 1, "mappings/dev--prod/journal.ndjson is damaged at line 5: its checksum is wrong, or it does not follow the line before it: it was changed, or lines"],
  ["with a line twice, for resolve", lines((all) => all.toSpliced(3, 0, all[3] ?? "")), "resolve move", 1, "mappings/dev--prod/journal.ndjson is damaged at line 5: its checksum is wrong, or it does not follow the line before it: it was changed, or lines"],
  ["with a line twice, for a rollback", lines((all) => all.toSpliced(3, 0, all[3] ?? "")), "rollback move --yes --allow-delete", 1, "mappings/dev--prod/journal.ndjson is damaged at line 5: its checksum is wrong, or it does not follow the line before it: it was changed, or lines"],
  ["of a run that ended, damaged, for a rollback", (stage) => { const run = journalOf(stage); edit(`plans/move/runs/${run}`, (all) => all.replace("(primary)", "(Primary)"))(stage); }, "rollback move --yes --allow-delete", 1, "is damaged at line 3: its checksum is wrong, or it does not follow the line before it: it was changed, or lines were cut out, repeated, moved or put"],
]);
