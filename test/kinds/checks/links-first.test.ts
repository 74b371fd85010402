import { describe, expect, test } from "vitest";
import { linksFirst } from "../../../src/kinds/checks/links-first.ts";
import type { CheckView } from "../../../src/kinds/kind.ts";
import type { JsonObject } from "../../../src/model/json.ts";
import type { Resolution } from "../../../src/model/translate.ts";
import { change, side, view } from "./support.ts";

const monitor = (...pairs: readonly (readonly [term: string, rule: string])[]): JsonObject => ({
  termRuleInstances: Object.fromEntries(
    pairs.map(([term, rule], index) => [
      String(index),
      { ruleUrn: rule, ruleName: `rule ${rule}`, terms: [{ termUrn: term, termName: `term ${term}` }] },
    ]),
  ),
});

const assignment = change("term-assignments", "column", "update");
const assigned = { column: { attributeUrn: "column", termUrns: ["email"] } };

/** Everything stands at the target under the same name with a dash. */
const there = (urn: string): Resolution => ({ state: "target", urn: `${urn}'` });

const at = (parts: Partial<CheckView>): CheckView =>
  view({
    changes: [assignment],
    source: side({ "primary-monitors": { m: monitor(["email", "set"]) }, "term-assignments": assigned }),
    resolve: there,
    ...parts,
  });
const done = { ...view({}).policy, termLinks: "done" } as const;

describe("links first", () => {
  test("an assignment waits for the links of its terms, and the pair is named", () => {
    const { held, diagnostics } = linksFirst.run(at({}));
    expect([...(held ?? [])]).toMatchObject([
      [
        assignment.id,
        {
          code: "link-terms-first",
          reason: 'a person must link rules to terms first: "rule set" to "term email"',
        },
      ],
    ]);
    expect(diagnostics).toMatchObject([
      { code: "link-term-rule", coordinate: { urn: "email" }, severity: "warning" },
    ]);
    expect(diagnostics[0]?.suggestion).toContain("then set policy.termLinks to done");
  });

  test("a link that a monitor at the target shows is done", () => {
    const target = side({ "primary-monitors": { m: monitor(["email'", "set'"]) } });
    expect(linksFirst.run(at({ target }))).toEqual({ diagnostics: [], held: new Map() });
    // Shown for another rule it is not.
    const other = side({ "primary-monitors": { m: monitor(["email'", "unique'"]) } });
    expect(linksFirst.run(at({ target: other })).held?.size).toBe(1);
  });

  test("a person's word lets it go, but for what is created in this very run", () => {
    const said = linksFirst.run(at({ policy: done }));
    expect(said.held?.size).toBe(0);
    expect(said.diagnostics[0]?.suggestion).toContain("Check the link");
    const pending: Resolution = { state: "pending", owner: "set" };
    const resolve = (urn: string): Resolution => (urn === "set" ? pending : there(urn));
    const { held } = linksFirst.run(at({ policy: done, resolve }));
    expect(held?.get(assignment.id)?.suggestion).toContain("policy.termLinks says done");
  });

  test("what is not an assignment, is done already or has other terms goes on", () => {
    const others = [change("terms", "email", "create"), { ...assignment, action: "unchanged" as const }];
    expect(linksFirst.run(at({ changes: others })).held?.size).toBe(0);
    const source = side({
      "primary-monitors": { m: monitor(["phone", "set"]) },
      "term-assignments": assigned,
    });
    expect(linksFirst.run(at({ source })).held?.size).toBe(0);
  });
});
