import { describe, expect, it } from "vitest";
import { resolveDoubts } from "../../src/operations/resolve.ts";
import { seedFolder, seedTerm } from "../diff/support/content.ts";
import { written } from "../diff/support/log.ts";
import { apply, changeOf, expectChange, stage, twinOf } from "../diff/support/run.ts";
import { names } from "../diff/support/side.ts";
import { editFolder, editTerm } from "../diff/support/web.ts";
import { editEntity, seedProduct } from "../kinds/support/catalog.ts";
import { changeOf as changeIn, fresh } from "../kinds/support/place.ts";
import { afterCommit, killedAt, lose, routes, said, terms } from "./support.ts";

const rows = [
  { what: "trimmed by the service", name: "One ", becomes: "One" },
  { what: "changed by somebody", name: "One", becomes: "Uno" },
];

describe.each(rows)("a create without an answer whose name was $what", ({ name, becomes }) => {
  it("is asked about and not sent again", async () => {
    const at = await stage();
    const urn = seedTerm(at.source, name);
    lose(at, routes.createTerms, { type: "drop-after-commit" });
    afterCommit(at, routes.createTerms, () => {
      editTerm(at.target, at.target.term(name), { name: becomes });
    });
    const done = await apply(at, terms);
    expect(done.exitCode).toBe(6);
    expect(changeOf(done, urn)?.outcome).toBe("in-doubt");
    expect(said(done)).toContain("the same content, but another name");
    expect(written(at.world)).toEqual(["POST terms/bulk"]);

    expect((await apply(at, terms)).exitCode).toBe(6);
    expect(written(at.world)).toEqual([]);
    expect(names(at.target.tenant.terms.values())).toEqual([becomes]);
  });

  it("is asked about by the run after one that was killed", async () => {
    const at = await stage();
    seedTerm(at.source, name);
    await killedAt(at, terms, "send:after");
    editTerm(at.target, at.target.term(name), { name: becomes });
    expect((await apply(at, terms)).exitCode).toBe(6);
    expect(written(at.world)).toEqual([]);
    expect(names(at.target.tenant.terms.values())).toEqual([becomes]);
  });
});

it("one that was given the name of another one that was sent with it is asked about with that, and not made twice", async () => {
  const at = await stage();
  const sent = ["One", "Two"].map((name) => seedTerm(at.source, name, { description: `The ${name}.` }));
  lose(at, routes.createTerms, { type: "drop-after-commit" });
  afterCommit(at, routes.createTerms, () => {
    editTerm(at.target, at.target.term("One"), { name: "Two" });
  });
  const done = await apply(at, terms);
  expect(done.exitCode).toBe(6);
  expect(sent.map((urn) => changeOf(done, urn)?.outcome)).toEqual(["in-doubt", "in-doubt"]);
  expect(written(at.world)).toEqual(["POST terms/bulk"]);
  expect(names(at.target.tenant.terms.values())).toEqual(["Two", "Two"]);
  // A person who knows which is which brings it to its end.
  const twins = sent.map((_urn, index) =>
    [...at.target.tenant.terms.values()].find(
      ({ published }) => published?.description === `The ${["One", "Two"][index]}.`,
    ),
  );
  const decisions = sent.map((source, index) => ({
    decision: "take" as const,
    source,
    target: twins[index]?.urn ?? "",
  }));
  await resolveDoubts(at.world.migration(terms), { decisions });
  await apply(at, terms);
  expect(names(at.target.tenant.terms.values()).length).toBe(2);
});

it("what a create was renamed to is offered to the person who decides, and taken for it", async () => {
  const at = await stage();
  const urn = seedTerm(at.source, "One");
  await killedAt(at, terms, "send:after");
  const twin = at.target.term("One");
  editTerm(at.target, twin, { name: "Uno" });
  expect((await apply(at, terms)).exitCode).toBe(6);
  const asked = await resolveDoubts(at.world.migration(terms), { decisions: [] });
  expect(JSON.stringify(asked)).toContain(twin);
  await resolveDoubts(at.world.migration(terms), {
    decisions: [{ decision: "take", source: urn, target: twin }],
  });
  // It is the twin from now on, and what differs in it is told as taken over.
  expect(changeOf(await apply(at, terms), urn)?.diagnostics).toMatchObject([{ code: "taken-over" }]);
  expect([...at.target.tenant.terms.values()].map((term) => term.urn)).toEqual([twin]);
});

it("a create without an answer is sent again beside something new of other content and name", async () => {
  const at = await stage();
  seedTerm(at.source, "One");
  lose(at, routes.createTerms, { type: "drop-before-commit" });
  at.world.emulator.on(({ phase, entry }) => {
    if (
      phase === "received" &&
      entry.route === routes.createTerms &&
      !names(at.target.tenant.terms.values()).includes("Two")
    )
      seedTerm(at.target, "Two");
  });
  expect((await apply(at, terms)).exitCode).toBe(0);
  expect(names(at.target.tenant.terms.values())).toEqual(["One", "Two"]);
});

it("an entity, whose name is one of its properties, is asked about as well when it was renamed", async () => {
  const at = await fresh();
  const urn = seedProduct(at.source, "One");
  at.world.emulator.faults.add({
    match: { route: "POST /api/catalog/v1/entities/batch/create" },
    when: { times: 1 },
    effect: { type: "drop-after-commit" },
  });
  at.world.emulator.on(({ phase, entry }) => {
    if (phase !== "after-commit" || !entry.path.endsWith("/entities/batch/create")) return;
    for (const made of at.target.tenant.entities.values())
      if (made.concreteType === "dataProduct") editEntity(at.target, made.urn, { name: "Uno" });
  });
  const done = await at.apply({ select: { kinds: ["entities"], entityTypes: ["dataProduct"] } });
  expect(done.exitCode).toBe(6);
  expect(said(done)).toContain("the same content, but another name");
  expect(changeIn(done, urn).outcome).toBe("in-doubt");
  expect(at.writes()).toHaveLength(1);
});

it("a create without an answer that somebody has moved to another folder is asked about, and not made twice", async () => {
  const at = await stage();
  const folders = { select: { kinds: ["folders"] } } as const;
  seedFolder(at.source, "Views");
  const urn = seedFolder(at.source, "Old");
  const there = seedFolder(at.target, "Views");
  await apply(at, folders);
  const later = seedFolder(at.source, "New");
  await killedAt(at, folders, "send:after");
  const made = at.target.folder("New");
  editFolder(at.target, made, { parentUrn: there });
  const done = await apply(at, folders);
  expect(done.exitCode).toBe(6);
  expect(written(at.world)).toEqual([]);
  const called = (): readonly string[] => Array.from(at.target.tenant.folders.values(), ({ name }) => name);
  expect(called()).toHaveLength(3);
  expect(await twinOf(at, urn)).toBe(at.target.folder("Old"));
  // A person knows whose it is.
  const asked = await resolveDoubts(at.world.migration(folders), { decisions: [] });
  expect(JSON.stringify(asked)).toContain("the same name and content, but for its place (parentUrn)");
  await resolveDoubts(at.world.migration(folders), {
    decisions: [{ decision: "take", source: later, target: made }],
  });
  await apply(at, folders);
  expect([...called()].sort()).toEqual(["New", "Old", "Views"]);
});

describe("what may have been made for another one", () => {
  it("is nobody's twin by its name before that is settled", async () => {
    const at = await stage();
    const urn = seedTerm(at.source, "Email");
    const byName = { ...terms, policy: { adopt: "by-name" } } as const;
    lose(at, routes.createTerms, { type: "drop-after-commit" });
    afterCommit(at, routes.createTerms, () =>
      editTerm(at.target, at.target.term("Email"), { description: "theirs" }),
    );
    expect((await apply(at, byName)).exitCode).toBe(6);
    const made = at.target.term("Email");
    const other = seedTerm(at.source, "Email", { description: "another one" });
    const done = await apply(at, byName);
    expectChange(done, other, "blocked", "which may be what an earlier request made for terms");
    expectChange(done, urn, "blocked", "whether it happened is not settled");
    expect(at.target.tenant.terms.get(made)?.published?.description).toBe("theirs");
    // A person has decided, and the name decides again.
    await resolveDoubts(at.world.migration(byName), {
      decisions: [{ decision: "take", source: urn, target: made }],
    });
    const last = await apply(at, byName);
    expect([await twinOf(at, urn), changeOf(last, other)?.action]).toEqual([made, "create"]);
  });
});
