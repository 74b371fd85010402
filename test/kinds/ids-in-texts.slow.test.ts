import { expect, test } from "vitest";
import { verifyPlan } from "../../src/operations/verify.ts";
import { seedMonitor, seedRule, seedTerm } from "../diff/support/content.ts";
import { apply, changeOf as changeAt, stage, type Stage, twinOf } from "../diff/support/run.ts";
import { onlyKey } from "../diff/support/side.ts";
import { editRule } from "../diff/support/web.ts";
import { child } from "../../src/emulator/json.ts";
import { uuidOf } from "../../src/model/urn.ts";
import { changeOf, fresh } from "./support/place.ts";

const plan = { select: { kinds: ["terms"] } };

const texts: Readonly<Record<string, (urn: string) => string>> = {
  "an address": (urn) => `See https://dev.example.com/terms/${uuidOf(urn)}, please`,
  "an address in capital letters": (urn) => `https://dev.example.com/terms/${uuidOf(urn).toUpperCase()}`,
  "a sentence": (urn) => `It goes by ${uuidOf(urn)}.`,
  "an encoded address": (urn) => `https://dev.example.com/${encodeURIComponent(urn)}/overview`,
  "a link in a formatted text, beside a reference": (urn) =>
    JSON.stringify([
      { type: "entityReference", gid: uuidOf(urn), entityName: "term" },
      { type: "link", url: `https://dev.example.com/terms/${uuidOf(urn)}` },
    ]),
};

test.each(Object.entries(texts))(
  "an id of the source in %s is told, as is that it stands at the target, and nothing else is made of it",
  async (_where, text) => {
    const at = await fresh();
    const meant = seedTerm(at.source, "Meant");
    const user = seedTerm(at.source, "User", { description: text(meant) });
    const made = changeOf(await at.apply(plan), user);
    expect(made).toMatchObject({ action: "create", outcome: "done" });
    expect(made.diagnostics).toMatchObject([
      { severity: "warning", code: "loose-id", pointer: "/description" },
    ]);
    expect(made.diagnostics[0]?.summary).toContain('that of "Meant" at dev');
    const verified = await verifyPlan(at.world.migration(plan));
    expect(verified.exitCode).toBe(0);
    expect(verified.diagnostics).toMatchObject([
      { code: "source-id-at-target", coordinate: { name: "User" } },
    ]);
    // A second run writes nothing and has no news.
    expect((await at.apply(plan)).changes).toEqual([]);
    expect(at.writes()).toEqual([]);
  },
);

test("ids of nobody, and encoded ones of another tenant, are no news", async () => {
  const at = await fresh();
  const urn = seedTerm(at.source, "Meant");
  const others = [
    "See https://dev.example.com/terms/00000000-0000-4000-8000-000000000000",
    `https://prod.example.com/${encodeURIComponent(urn.replace(":dev:", ":prod:"))}`,
  ];
  for (const [index, description] of others.entries()) seedTerm(at.source, `User ${index}`, { description });
  const result = await at.apply(plan);
  expect(result.changes.flatMap(({ diagnostics }) => diagnostics)).toEqual([]);
});

/** What a rule's text may name, beside objects. */
const things: Readonly<Record<string, (at: Stage) => string>> = {
  "a part of a rule": ({ source }) => source.part(source.rule("Meant"), "email"),
  "a part of a monitor": ({ source }) =>
    `urn:data:dev:data-quality:threshold:${onlyKey(source.body(source.monitor("Watch"))["overallDqThresholds"])}`,
  "a result of a dimension": ({ source }) => source.result("Validity", "Invalid"),
  "an attribute": ({ source }) => source.attribute("CUSTOMER", "EMAIL"),
  "a rule": ({ source }) => source.rule("Meant"),
};

const spellings: Readonly<Record<string, (urn: string) => string>> = {
  "by UUID": (urn) => `attr("${uuidOf(urn)}")`,
  "by UUID in capital letters": (urn) => `attr("${uuidOf(urn).toUpperCase()}")`,
  "by UUID without hyphens": (urn) => `attr(${uuidOf(urn).replaceAll("-", "")})`,
  "by nothing but that": (urn) => uuidOf(urn).replaceAll("-", ""),
  "by URN in capital letters": (urn) => `attr("${urn.toUpperCase()}")`,
};

test.each(Object.entries(things))("%s is told in every spelling, before and after", async (_what, thing) => {
  const at = await stage();
  const rules = { select: { kinds: ["rules", "monitors"] } };
  seedMonitor(at.source, seedRule(at.source, "Meant"), "Watch");
  const told = Object.entries(spellings).map(([name, spell]) => ({ name, text: spell(thing(at)) }));
  const users = told.map(({ name, text }) => seedRule(at.source, name, { description: text }));
  const result = await apply(at, rules);
  for (const urn of users)
    expect(changeAt(result, urn)?.diagnostics).toMatchObject([{ code: "loose-id", pointer: "/description" }]);
  const { exitCode, diagnostics } = await verifyPlan(at.world.migration(rules));
  expect(exitCode).toBe(0);
  expect(diagnostics.map(({ code, coordinate }) => `${code} ${coordinate?.name}`).sort()).toEqual(
    told.map(({ name }) => `source-id-at-target ${name}`).sort(),
  );
});

test("a rule whose expression names its own input by key is told, with whose it is", async () => {
  const at = await stage();
  const rule = seedRule(at.source, "Email");
  const key = uuidOf(at.source.part(rule, "email"));
  const condition = onlyKey(child(at.source.body(rule), "implementation")["conditions"]);
  editRule(at.source, rule, {
    implementation: { conditions: { [condition]: { stringExpression: `attr("${key}") is null` } } },
  });
  const plan = { select: { kinds: ["rules"] } };
  const { diagnostics = [] } = changeAt(await apply(at, plan), rule) ?? {};
  expect(diagnostics).toMatchObject([{ code: "loose-id" }]);
  expect(diagnostics[0]?.summary).toContain('that of a part of "Email" at dev');
  // A person puts it right at the target, and keeps that: its own key is nobody's but its own.
  const twin = (await twinOf(at, rule)) as typeof rule;
  const there = onlyKey(child(at.target.body(twin), "implementation")["conditions"]);
  const expression = `attr("${uuidOf(at.target.part(twin, "email"))}") is null`;
  editRule(at.target, twin, {
    implementation: { conditions: { [there]: { stringExpression: expression } } },
  });
  const verified = await verifyPlan(at.world.migration(plan));
  expect(verified.diagnostics.map(({ code }) => code)).not.toContain("source-id-at-target");
});

test("numbers of nobody, however long, are no news", async () => {
  const at = await stage();
  const key = uuidOf(at.source.part(seedRule(at.source, "Meant"), "email")).replaceAll("-", "");
  const texts = [`${key}00`, `0${key}`, `${key}${key}`, "0123456789abcdef0123456789abcdef"];
  for (const [index, description] of texts.entries()) seedRule(at.source, `User ${index}`, { description });
  const result = await apply(at, { select: { kinds: ["rules"] } });
  expect(result.changes.flatMap(({ diagnostics }) => diagnostics)).toEqual([]);
});
