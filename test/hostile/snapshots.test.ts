import { altered, edit, folder, kept, put, removed } from "./support/kept.ts";

const manifest = "plans/move/snapshot/manifest.json";
const terms = "plans/move/snapshot/terms.ndjson";
const diff = "diff move --snapshot plans/move/snapshot";
const apply = "apply move --yes --snapshot plans/move/snapshot";

// oxfmt-ignore
kept("a snapshot", [
  ["that is nowhere", removed("plans/move/snapshot"), diff, 64, "there is no snapshot in plans/move/snapshot: it has no manifest.json"],
  ["that is a file", (stage) => { removed("plans/move/snapshot")(stage); stage.write("plans/move/snapshot", ""); }, diff, 1, "cannot read plans/move/snapshot/manifest.json: a part of the path is a file, not a folder"],
  ["without a manifest", removed(manifest), diff, 64, "there is no snapshot in plans/move/snapshot: it has no manifest.json"],
  ["whose manifest is a folder", folder(manifest), diff, 1, "cannot read plans/move/snapshot/manifest.json: it is a folder"],
  ["whose manifest is empty", put(manifest, ""), diff, 1, "plans/move/snapshot/manifest.json is damaged at line 1, column 1: it ends too early"],
  ["whose manifest is an object without anything", put(manifest, "{}"), diff, 1, "plans/move/snapshot/manifest.json is not as expected at line 1, column 1 (format): it is missing"],
  ["whose manifest is null", put(manifest, "null"), diff, 1, "plans/move/snapshot/manifest.json is not as expected at line 1, column 1: expected a map, found nothing"],
  ["whose manifest is bytes", put(manifest, Buffer.from([0, 255, 254, 1])), diff, 1, "plans/move/snapshot/manifest.json is not text in UTF-8"],
  ["whose manifest ends early", edit(manifest, (text) => text.slice(0, 300)), apply, 1, "plans/move/snapshot/manifest.json is damaged at line 14, column 17: it is not JSON there"],
  ["whose manifest has the marks of a merge", edit(manifest, (text) => `<<<<<<< HEAD\n${text}`), diff, 1, "plans/move/snapshot/manifest.json holds an unsettled merge (git conflict markers) at line 1, column 1"],
  ["of a newer format", altered(manifest, (file) => { file.format = 99; }), diff, 1, "plans/move/snapshot/manifest.json was written by a newer version of ferry: its format is 99, this one knows up to 1"],
  ["of a format that is a text", altered(manifest, (file) => { file.format = "1"; }), diff, 1, "plans/move/snapshot/manifest.json is not as expected at line 2, column 13 (format): expected a number, found a text"],
  ["of another environment", altered(manifest, (file) => { file.party.baseUrl = "https://dev.example.com"; }), diff, 1, "plans/move/snapshot/manifest.json is damaged: its digest does not fit its content"],
  ["whose party is a text", altered(manifest, (file) => { file.party = "dev"; }), diff, 1, "plans/move/snapshot/manifest.json is not as expected at line 5, column 12 (party): expected a map, found a text"],
  ["whose kinds are a list", altered(manifest, (file) => { file.kinds = []; }), diff, 1, "plans/move/snapshot/manifest.json is not as expected at line 10, column 12 (kinds): expected a map, found a list"],
  ["whose count is another one", altered(manifest, (file) => { file.kinds.terms.count = 7; }), diff, 1, "plans/move/snapshot/manifest.json is damaged: its digest does not fit its content"],
  ["whose count is a text", altered(manifest, (file) => { file.kinds.terms.count = "2"; }), diff, 1, "plans/move/snapshot/manifest.json is not as expected at line 84, column 16 (kinds.terms.count): expected a number, found a text"],
  ["that is complete though it was not", altered(manifest, (file) => { file.kinds.groups.complete = true; }), apply, 1, "plans/move/snapshot/manifest.json is damaged: its digest does not fit its content"],
  ["whose digest is another one", altered(manifest, (file) => { file.digest = "0".repeat(64); }), diff, 1, "plans/move/snapshot/manifest.json is damaged: its digest does not fit its content"],
  ["whose digest is a number", altered(manifest, (file) => { file.digest = 7; }), diff, 1, "plans/move/snapshot/manifest.json is not as expected at line 106, column 13 (digest): expected a text, found a number"],
  ["whose sum is another one", altered(manifest, (file) => { file.kinds.terms.sha256 = "0".repeat(64); }), diff, 1, "plans/move/snapshot/terms.ndjson is damaged: its checksum is not the one in the manifest"],
  ["whose notes are a text", altered(manifest, (file) => { file.notes = "x"; }), diff, 1, "plans/move/snapshot/manifest.json is damaged: its digest does not fit its content"],
  ["that names a kind of another folder", altered(manifest, (file) => { file.kinds["../../secret"] = file.kinds.terms; }), diff, 1, "plans/move/snapshot/manifest.json is not as expected at line 105, column 21 (kinds.../../secret): its name is none that may stand here"],
  ["without a file", removed(terms), diff, 1, "plans/move/snapshot/terms.ndjson is damaged: the manifest names it, and it is missing"],
  ["whose file is a folder", folder(terms), diff, 1, "cannot read plans/move/snapshot/terms.ndjson: it is a folder"],
  ["whose file is empty", put(terms, ""), diff, 1, "plans/move/snapshot/terms.ndjson is damaged: it holds 0 objects, and the manifest says 3"],
  ["whose file is bytes", put(terms, Buffer.from([0, 255, 10])), diff, 1, "plans/move/snapshot/terms.ndjson is damaged: line 1 is not an object of a snapshot"],
  ["whose line is changed", edit(terms, (text) => text.replace("Who buys.", "Who pays.")), apply, 1, "plans/move/snapshot/terms.ndjson is damaged: its checksum is not the one in the manifest"],
  ["whose line is cut", edit(terms, (text) => text.slice(0, -40)), diff, 1, "plans/move/snapshot/terms.ndjson is damaged: line 3 is not an object of a snapshot"],
  ["whose line is twice", edit(terms, (text) => text.replace(/(.*\n)/, "$1$1")), diff, 1, "plans/move/snapshot/terms.ndjson is damaged: line 2 repeats the URN of an earlier line"],
  ["whose line is gone", edit(terms, (text) => text.replace(/.*\n/, "")), apply, 1, "plans/move/snapshot/terms.ndjson is damaged: it holds 2 objects, and the manifest says 3"],
  ["whose lines are in another order", edit(terms, (text) => `${text.trimEnd().split("\n").toReversed().join("\n")}\n`), diff, 1, "plans/move/snapshot/terms.ndjson is damaged: its checksum is not the one in the manifest"],
  ["with other line ends", edit(terms, (text) => text.replaceAll("\n", "\r\n")), diff, 1, "plans/move/snapshot/terms.ndjson is damaged: its checksum is not the one in the manifest"],
  ["with a byte order mark", edit(terms, (text) => `\uFEFF${text}`), diff, 1, "plans/move/snapshot/terms.ndjson is damaged: line 1 is not an object of a snapshot"],
  ["with the marks of a merge", edit(terms, (text) => `<<<<<<< HEAD\n${text}`), diff, 1, "plans/move/snapshot/terms.ndjson is damaged: line 1 is not an object of a snapshot"],
  ["for a verification, changed", edit(terms, (text) => text.replace("Who buys.", "Who pays.")), "verify move --snapshot plans/move/snapshot", 1, "plans/move/snapshot/terms.ndjson is damaged: its checksum is not the one in the manifest"],
]);

const approved = "approved.json";
const go = "apply move --yes --diff approved.json";

// oxfmt-ignore
kept("an approved diff", [
  ["that is nowhere", removed(approved), go, 64, "cannot read approved.json: it does not exist"],
  ["that is a folder", folder(approved), go, 1, "cannot read approved.json: it is a folder"],
  ["of nothing", put(approved, ""), go, 1, "approved.json is damaged at line 1, column 1: it ends too early"],
  ["of null", put(approved, "null"), go, 1, "approved.json is not as expected at line 1, column 1: expected a map, found nothing"],
  ["of a list", put(approved, "[]"), go, 1, "approved.json is not as expected at line 1, column 1: expected a map, found a list"],
  ["of words", put(approved, "yes, do it"), go, 1, "approved.json is damaged at line 1, column 1: it is not JSON there"],
  ["of bytes", put(approved, Buffer.from([0, 255, 254])), go, 1, "approved.json is not text in UTF-8"],
  ["that ends early", edit(approved, (text) => text.slice(0, -65)), go, 1, "approved.json is damaged at line 40, column 1: it ends too early"],
  ["with the marks of a merge", edit(approved, (text) => `<<<<<<< HEAD\n${text}`), go, 1, "approved.json holds an unsettled merge (git conflict markers) at line 1, column 1"],
  ["of a newer format", altered(approved, (file) => { file.format = 99; }), go, 1, "approved.json was written by a newer version of ferry: its format is 99, this one knows up to 1 next: Update ferry. Or: make a new diff with"],
  ["without a format", altered(approved, (file) => { delete file.format; }), go, 1, "approved.json is not as expected at line 1, column 1 (format): it is none of 1"],
  ["of a newer tool", altered(approved, (file) => { file.tool = "urn-ferry 99.0.0"; }), go, 7, "the tool: the diff was made by urn-ferry 99.0.0, this is urn-ferry 0.1.0"],
  ["of another plan", altered(approved, (file) => { file.plan = "other"; }), go, 7, "another plan: the diff was made with other, this is move"],
  ["of a plan that was changed", edit("plans/move.yaml", (text) => text.replace("^DEV_", "^DEVEL_")), go, 7, "the plan was changed"],
  ["of another snapshot", altered(approved, (file) => { file.bound.snapshot = "0".repeat(64); }), go, 7, "the snapshot is another one: the source moved, or it was exported again"],
  ["of another digest of the plan", altered(approved, (file) => { file.bound.plan = "0".repeat(32); }), go, 7, "the plan was changed"],
  ["that is bound to nothing", altered(approved, (file) => { delete file.bound; }), go, 1, "approved.json is not as expected at line 1, column 1 (bound): it is missing"],
  ["whose changes are an object", altered(approved, (file) => { file.changes = {}; }), go, 1, "approved.json is not as expected at line 12, column 14 (changes): expected a list, found a map"],
  ["whose change is null", altered(approved, (file) => { file.changes = [null]; }), go, 1, "approved.json is not as expected at line 13, column 5 (changes.0): expected a map, found nothing"],
  ["whose change has a number for an id", altered(approved, (file) => { file.changes[0].id = 7; }), go, 1, "approved.json is not as expected at line 14, column 13 (changes.0.id): expected a text, found a number"],
  ["without its change", altered(approved, (file) => { file.changes = []; }), go, 7, "terms \"Invoice\": create was not in the approved diff (nothing at the target stands for it)"],
  ["with a change more", altered(approved, (file) => { file.changes.push({ ...file.changes[0], id: "terms/other" }); }), go, 7, "terms \"Invoice\": it was to create, and now there is nothing to do"],
  ["with its change twice", altered(approved, (file) => { file.changes.push(file.changes[0]); }), go, 7, "a change stands in it twice"],
  ["whose action is another one", altered(approved, (file) => { file.changes[0].action = "delete"; }), go, 7, "terms \"Invoice\": it was to delete, and now it is to create (nothing at the target stands for it)"],
  ["whose action nobody knows", altered(approved, (file) => { file.changes[0].action = "\u001b[31mburn"; }), go, 7, "terms \"Invoice\": it was to \\u{1b}[31mburn, and now it is to create (nothing at the target stands for it)"],
  ["whose target is another one", altered(approved, (file) => { file.changes[0].target = { urn: "urn:data:prod:catalog:term:00000000-0000-4000-8000-000000000001", name: "x" }; }), go, 7, "terms \"Invoice\": the target object is another one: it was urn:data:prod:catalog:term:00000000-0000-4000-8000-000000000001, and now it is none"],
  ["whose print is another one", altered(approved, (file) => { file.changes[0].work = { ...file.changes[0].work, targetFingerprint: "x" }; }), go, 7, "terms \"Invoice\": the target object has changed since"],
  ["whose patch is another one", altered(approved, (file) => { file.changes[0].work = { ...file.changes[0].work, patch: { name: "Other" } }; }), go, 7, "terms \"Invoice\": other fields would be changed than were approved"],
  ["whose fields are others", altered(approved, (file) => { file.changes[0].fields = [{ path: "/name", to: "Other" }]; }), go, 7, "terms \"Invoice\": other fields would be changed than were approved"],
  ["whose fields are a text", altered(approved, (file) => { file.changes[0].fields = "all"; }), go, 7, "terms \"Invoice\": other fields would be changed than were approved"],
  ["whose kind is another one", altered(approved, (file) => { file.changes[0].kind = "rules"; }), go, 7, 'rules "Invoice": the diff calls this terms "Invoice" something else'],
  ["whose name is another one", altered(approved, (file) => { file.changes[0].source.name = "Receipt"; }), go, 7, 'terms "Receipt": the diff calls this terms "Invoice" something else'],
  ["whose source is another one", altered(approved, (file) => { file.changes[0].source.urn += "0"; }), go, 7, 'terms "Invoice": the diff calls this terms "Invoice" something else'],
  ["whose source is a text", altered(approved, (file) => { file.changes[0].source = "x"; }), go, 7, 'the diff calls this terms "Invoice" something else'],
]);

const imported = "mappings move import pairs.json";
const pair = (fields: object): string => JSON.stringify({ pairs: [fields] });

// oxfmt-ignore
kept("pairs to be imported", [
  ["that are nowhere", () => undefined, imported, 64, "cannot read pairs.json: it does not exist"],
  ["that are a folder", folder("pairs.json"), imported, 1, "cannot read pairs.json: it is a folder"],
  ["of nothing", put("pairs.json", ""), imported, 1, "pairs.json is damaged at line 1, column 1: it ends too early"],
  ["of null", put("pairs.json", "null"), imported, 1, "pairs.json is not as expected at line 1, column 1: expected a map, found nothing"],
  ["of words", put("pairs.json", "a=b"), imported, 1, "pairs.json is damaged at line 1, column 1: it is not JSON there"],
  ["of a text", put("pairs.json", '"a=b"'), imported, 1, "pairs.json is not as expected at line 1, column 1: expected a map, found a text"],
  ["of an object without anything", put("pairs.json", "{}"), imported, 1, "pairs.json is not as expected at line 1, column 1 (pairs): it is missing"],
  ["of a list of texts", put("pairs.json", '{"pairs":["a"]}'), imported, 1, "pairs.json is not as expected at line 1, column 11 (pairs.0): expected a map, found a text"],
  ["of a list of null", put("pairs.json", '{"pairs":[null]}'), imported, 1, "pairs.json is not as expected at line 1, column 11 (pairs.0): expected a map, found nothing"],
  ["with the marks of a merge", put("pairs.json", "<<<<<<< HEAD\n{}\n"), imported, 1, "pairs.json holds an unsettled merge (git conflict markers) at line 1, column 1"],
  ["without a target", put("pairs.json", pair({ kind: "terms", source: "urn:a" })), imported, 1, "pairs.json is not as expected at line 1, column 11 (pairs.0.target): it is missing"],
  ["whose source is a number", put("pairs.json", pair({ kind: "terms", source: 7, target: "urn:b" })), imported, 1, "pairs.json is not as expected at line 1, column 36 (pairs.0.source): expected a text, found a number"],
  ["whose source is nowhere", put("pairs.json", pair({ kind: "terms", source: "urn:data:dev:catalog:term:00000000-0000-4000-8000-000000000001", target: "urn:data:prod:catalog:term:00000000-0000-4000-8000-000000000001" })), imported, 0, "ferry mappings move: dev -> prod About the run info: whether the objects exist w"],
  ["of a kind that nobody knows", put("pairs.json", pair({ kind: "wishes", source: "urn:a", target: "urn:b" })), imported, 64, 'there is no kind "wishes"'],
]);

const faults = "emulate --port 0 --faults faults.json";

// oxfmt-ignore
kept("faults for the emulator", [
  ["that are nowhere", () => undefined, faults, 64, "--faults faults.json cannot be read: it does not exist"],
  ["that are a folder", folder("faults.json"), faults, 64, "--faults faults.json cannot be read: it is a folder"],
  ["of nothing", put("faults.json", ""), faults, 64, "--faults faults.json: it is not JSON"],
  ["of words", put("faults.json", "none"), faults, 64, "--faults faults.json: it is not JSON"],
  ["of null", put("faults.json", "null"), faults, 64, "--faults faults.json: A faults file holds an array of rules, or an object with an array in faults."],
  ["of an object without anything", put("faults.json", "{}"), faults, 64, "--faults faults.json: A faults file holds an array of rules, or an object with an array in faults."],
  ["of a list of texts", put("faults.json", '["delay"]'), faults, 64, "--faults faults.json: The faults file is not valid: faults[0] must be an object"],
  ["without an effect", put("faults.json", "[{}]"), faults, 64, "--faults faults.json: The faults file is not valid: faults[0].effect is required and must be an object"],
  ["with an effect that nobody knows", put("faults.json", '[{"effect":{"type":"explode"}}]'), faults, 64, "--faults faults.json: The faults file is not valid: faults[0].effect.type must be one of refuse-connection, drop-before-commit, drop-after-commit,"],
  ["with an effect named constructor", put("faults.json", '[{"effect":{"type":"constructor"}}]'), faults, 64, "--faults faults.json: The faults file is not valid: faults[0].effect.type must be one of refuse-connection, drop-before-commit, drop-after-commit,"],
  ["with a key that nobody knows", put("faults.json", '[{"effects":{},"effect":{"type":"garbage"}}]'), faults, 64, "--faults faults.json: The faults file is not valid: faults[0].effects is not known; a rule has match, when and effect"],
  ["with a delay of no time", put("faults.json", '[{"effect":{"type":"delay"}}]'), faults, 64, "--faults faults.json: The faults file is not valid: faults[0].effect.ms is required"],
  ["with a delay below nothing", put("faults.json", '[{"effect":{"type":"delay","ms":-1}}]'), faults, 64, "--faults faults.json: The faults file is not valid: faults[0].effect.ms must be a whole number, at least 0"],
  ["with a status that is no error", put("faults.json", '[{"effect":{"type":"status","code":200}}]'), faults, 64, "--faults faults.json: The faults file is not valid: faults[0].effect.code must be a status of 400 to 599"],
  ["with a chance of two", put("faults.json", '[{"when":{"chance":2},"effect":{"type":"garbage"}}]'), faults, 64, "--faults faults.json: The faults file is not valid: faults[0].when.chance must be a number of 0 to 1"],
  ["with a path that is no expression", put("faults.json", '[{"match":{"path":"/(/"},"effect":{"type":"garbage"}}]'), faults, 64, "--faults faults.json: The faults file is not valid: faults[0].match.path is no regular expression: Invalid regular expression: /(/: Unterminated group"],
  ["with a path without a slash", put("faults.json", '[{"match":{"path":"api"},"effect":{"type":"garbage"}}]'), faults, 64, "--faults faults.json: The faults file is not valid: faults[0].match.path must start with /"],
  ["with two faults at once", put("faults.json", '[{"when":{"skip":"1"},"effect":{"type":"status"}}]'), faults, 64, "--faults faults.json: The faults file is not valid: faults[0].when.skip must be a whole number, at least 0; faults[0].effect.code is required"],
]);
