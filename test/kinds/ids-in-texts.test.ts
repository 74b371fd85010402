import { expect, test } from "vitest";
import { verifyPlan } from "../../src/operations/verify.ts";
import { seedTerm } from "../diff/support/content.ts";
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
