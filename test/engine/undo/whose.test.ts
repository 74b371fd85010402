import { expect, test } from "vitest";
import { isDraftOfOther, isMadeByRollback } from "../../../src/engine/undo/whose.ts";
import type { Deed } from "../../../src/engine/undo/deed.ts";
import type { MappingEntry } from "../../../src/model/mapping.ts";

const beside = {
  otherRuns: new Set(["other"]),
  ownRuns: new Set(["own"]),
  backRuns: new Set(["back"]),
};
const deed: Deed = {
  kind: "rules",
  source: "urn:source",
  name: "One",
  what: "changed",
  target: "urn:target",
  left: "sent",
  before: "before",
  intent: { source: "urn:source", name: "One" },
  undos: [],
  sent: [],
  keys: {},
};
const row: MappingEntry = { name: "One", target: "urn:target", origin: "created" };

test.each([
  ["own", "else", false],
  ["back", "else", false],
  ["other", "sent", true],
  ["unknown", "else", true],
  // It has settled what this run has sent.
  ["unknown", "sent", false],
  [undefined, "else", false],
] as const)(
  "of the run %s, which has left %s, a draft is another one's: %s",
  (run, targetFingerprint, isOther) => {
    const entry = { ...row, targetFingerprint, ...(run === undefined ? {} : { run }) };
    expect(isDraftOfOther(entry, deed, beside)).toBe(isOther);
  },
);

test.each([
  [{ former: { target: "urn:target" }, run: "unknown" }, true],
  [{ former: { target: "urn:else" }, run: "other" }, false],
  [{ run: "back" }, true],
  [{ run: "own" }, false],
  [{}, false],
])("a row with %j is of what a rollback has made again: %s", (more, isMade) => {
  expect(isMadeByRollback({ ...row, target: "urn:again", ...more }, deed, beside)).toBe(isMade);
});
