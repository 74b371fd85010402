import { describe, expect, test } from "vitest";
import type { Action, AppliedChange, Outcome } from "../../src/model/change.ts";
import { consequenceSentence, consequencesOf } from "../../src/model/consequences.ts";
import type { Diagnostic } from "../../src/model/diagnostic.ts";

const change = (
  name: string,
  action: Action,
  code?: Diagnostic["code"],
  outcome?: Outcome,
): AppliedChange => ({
  id: `monitors:${name}`,
  action,
  kind: "monitors",
  source: { urn: name, name },
  reason: "",
  fields: [],
  diagnostics: code === undefined ? [] : [{ severity: "warning", code, summary: "" }],
  dependsOn: [],
  ...(outcome === undefined ? {} : { outcome }),
});
const texts = (changes: readonly AppliedChange[], allowDelete?: boolean): readonly string[] =>
  consequencesOf(changes, { allowDelete }).map(({ text }) => text);

describe("what a run does that must not be read past", () => {
  test("starts, deletes, replaces and overwritten changes are counted, the worst first", () => {
    const changes = [
      change("a", "create", "schedule-starts"),
      change("b", "update", "schedule-starts"),
      change("c", "update", "overwrites"),
      change("d", "update", "taken-over"),
      change("e", "replace"),
      change("f", "delete"),
      change("g", "create"),
    ];
    expect(texts(changes)).toEqual([
      "1 object is deleted under --allow-delete",
      "what people set in 2 objects is overwritten",
      "1 object is replaced by new ones",
      "2 schedules start running at once",
    ]);
    expect(texts(changes, true)[0]).toBe("1 object is deleted");
    expect(texts(changes, false)).toHaveLength(3);
    expect(consequencesOf(changes).at(-1)?.names).toEqual(['monitors "a"', 'monitors "b"']);
  });

  test("of what was done it is told in the past; what was not done did nothing", () => {
    expect(
      texts([
        change("a", "create", "schedule-starts", "done"),
        change("b", "create", "schedule-starts", "failed"),
        change("c", "delete", undefined, "withheld"),
        change("d", "update", "overwrites", "done"),
      ]),
    ).toEqual(["what people set in 1 object was overwritten", "1 schedule started running"]);
  });

  test("what is not written does nothing, whatever is said of it", () => {
    expect(texts([change("a", "blocked", "schedule-starts"), change("b", "conflict", "taken-over")])).toEqual(
      [],
    );
  });

  test("a headline ends with it", () => {
    expect(consequenceSentence([], "prod")).toBe("");
    expect(consequenceSentence(consequencesOf([change("f", "delete")]), "prod")).toBe(
      " At prod 1 object is deleted under --allow-delete.",
    );
  });
});
