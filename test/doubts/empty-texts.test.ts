import { expect, test } from "vitest";
import type { Json } from "../../src/emulator/json.ts";
import { isObject } from "../../src/emulator/json.ts";
import { uuidOf } from "../../src/model/urn.ts";
import { seedTerm } from "../diff/support/content.ts";
import { changeOf, type Stage, stage } from "../diff/support/run.ts";
import { editTerm } from "../diff/support/web.ts";
import { front, through } from "../support/front.ts";
import { applyWith, routes, terms } from "./support.ts";

/** No document says how a term without a description shows that: it may be an empty text. */
async function showingEmptyTexts({ world }: Stage): ReturnType<typeof front> {
  const shown = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(shown);
    if (!isObject(value)) return value;
    const inner = Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shown(one)]));
    return value["type"] === "businessTerm" ? { description: "", ...inner } : inner;
  };
  const answer = (body: string): string =>
    body.startsWith("{") ? JSON.stringify(shown(JSON.parse(body) as Json)) : body;
  return front(world.emulator.baseUrl("prod"), { answer });
}

/** Two terms that mention each other are made without their descriptions, which follow. */
async function circle() {
  const at = await stage();
  const [one, other] = [seedTerm(at.source, "One"), seedTerm(at.source, "Other")];
  const about = (urn: string): string =>
    JSON.stringify([
      { type: "paragraph", children: [{ type: "entityReference", gid: uuidOf(urn), entityName: "term" }] },
    ]);
  editTerm(at.source, one, { description: about(other) });
  editTerm(at.source, other, { description: about(one) });
  const { url } = await showingEmptyTexts(at);
  return { at, both: [one, other], overrides: through(at.world, terms, { target: url }) };
}

test("what was made without a description gets it, where the service shows an empty text until then", async () => {
  const { at, both, overrides } = await circle();
  const result = await applyWith(at, terms, overrides);
  expect(both.map((urn) => changeOf(result, urn)?.outcome)).toEqual(["done", "done"]);
  expect(result.exitCode).toBe(0);
  expect((await applyWith(at, terms, overrides)).changes).toEqual([]);
});

test("so it does in the next run, where it was not brought in the one that made it", async () => {
  const { at, overrides } = await circle();
  const off = at.world.emulator.faults.add({
    match: { route: routes.patchTerm },
    effect: { type: "status", code: 400 },
  });
  expect((await applyWith(at, terms, overrides)).summary.failed).toBeGreaterThan(0);
  off();
  const next = await applyWith(at, terms, overrides);
  expect(next.changes.map(({ action, outcome }) => `${action} ${outcome}`)).toEqual([
    "update done",
    "update done",
  ]);
  expect(next.exitCode).toBe(0);
});

test("a description that a colleague has written meanwhile is theirs", async () => {
  const { at, overrides } = await circle();
  const off = at.world.emulator.faults.add({
    match: { route: routes.patchTerm },
    effect: { type: "status", code: 400 },
  });
  await applyWith(at, terms, overrides);
  off();
  editTerm(at.target, at.target.term("One"), { description: "Theirs" });
  const next = await applyWith(at, terms, overrides);
  expect(next.changes.map(({ action }) => action)).toEqual(["conflict", "update"]);
});
