import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readBoth } from "../../src/operations/compare.ts";
import type { Migration } from "../../src/operations/migration.ts";
import { MappingTable } from "../../src/model/mapping-table.ts";
import { StoreError } from "../../src/store/index.ts";
import { seedTerm } from "../diff/support/content.ts";
import { type Stage, stage } from "../diff/support/run.ts";
import type { Side } from "../diff/support/side.ts";
import { untakenDuring } from "../support/untaken.ts";
import { inWhole } from "../support/whole.ts";

const plan = { select: { kinds: ["terms"] } };
const list = "GET /api/catalog/v1/terms";

const read = async (migration: Migration): ReturnType<typeof readBoth> =>
  readBoth(migration, new MappingTable(), migration.targetReads());

function seedTerms(side: Side, count: number): void {
  for (let number = 1; number <= count; number += 1) seedTerm(side, `Term ${number}`);
}

/** So that a test fails for its reason, not for its time. */
async function patience(): Promise<string> {
  return new Promise((resolve) => setTimeout(resolve, 3_000, "never asked"));
}

/** Holds the requests for terms of one side until `until` is over. */
function hold({ world }: Stage, tenant: string, work: Promise<unknown>): void {
  const until = Promise.race([work, patience()]);
  world.emulator.on(async ({ phase, entry }) => {
    if (phase === "received" && entry.tenant === tenant && entry.route === list) await until;
  });
}

/** Resolves when a request for terms of one side has come this far. */
function seen({ world }: Stage, tenant: string, phase: "received" | "answered", nth = 1): Promise<void> {
  let count = 0;
  return new Promise((resolve) => {
    world.emulator.on((event) => {
      if (event.phase !== phase || event.entry.tenant !== tenant || event.entry.route !== list) return;
      count += 1;
      if (count === nth) resolve();
    });
  });
}

/** The client of the side that answered has had the time to look at it. */
async function settled(work: Promise<void>): Promise<void> {
  await work;
  await pause(50);
}

async function pause(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
}

/** So that what is to be stopped is not over before anybody could: each page takes this long. */
function slowDown({ world }: Stage, tenant: string): void {
  world.emulator.on(async ({ phase, entry }) => {
    if (phase === "received" && entry.tenant === tenant && entry.route === list) await pause(300);
  });
}

function forbid({ world }: Stage, tenant: string, skip = 0): void {
  world.emulator.faults.add({
    match: { tenant, route: list },
    when: { skip },
    effect: { type: "status", code: 403 },
  });
}

const pages = ({ world }: Stage, tenant: string): number => world.emulator.log.count({ tenant, route: list });

async function termsIn(migration: Migration): Promise<number> {
  const snapshot = migration.keep(await migration.store.work.openSnapshot());
  expect(snapshot.manifest.kinds["terms"]?.complete).toBe(true);
  return Array.from(snapshot.urns("terms")).length;
}

describe("both sides", () => {
  test.each([
    ["dev", "prod"],
    ["prod", "dev"],
  ])("are read at once: %s is answered only when %s has been asked", async (slow, other) => {
    const at = await stage();
    seedTerms(at.source, 3);
    seedTerms(at.target, 2);
    const asked = seen(at, other, "received").then(() => "asked");
    const first = Promise.race([asked, patience()]);
    hold(at, slow, first);
    const { source, target } = await read(at.world.migration(plan));
    expect(await first).toBe("asked");
    expect([...source.urns("terms")]).toHaveLength(3);
    expect([...target.snapshot.urns("terms")]).toHaveLength(2);
  });

  test("a source that fails stops the listing of the target, and leaves the old snapshot", async () => {
    const at = await stage({ kept: "files" });
    seedTerms(at.source, 250);
    seedTerms(at.target, 750);
    const migration = at.world.migration(plan);
    await read(migration);
    expect(pages(at, "prod")).toBe(8);
    const folders = readdirSync(at.world.places(plan).work);
    seedTerms(at.source, 1);
    at.world.emulator.log.clear();
    forbid(at, "dev", 1);
    hold(at, "prod", settled(seen(at, "dev", "answered", 2)));
    slowDown(at, "prod");
    await expect(read(migration)).rejects.toMatchObject({ kind: "permission" });
    expect(pages(at, "prod")).toBeLessThan(4);
    expect(readdirSync(at.world.places(plan).work)).toEqual(folders);
    expect(await termsIn(migration)).toBe(250);
  });

  test("a target that fails leaves a whole snapshot of the source, be it the old one or the new one", async () => {
    const at = await stage({ kept: "files" });
    seedTerms(at.source, 250);
    const migration = at.world.migration(plan);
    await read(migration);
    const folders = readdirSync(at.world.places(plan).work);
    seedTerms(at.source, 500);
    forbid(at, "prod");
    hold(at, "dev", settled(seen(at, "prod", "answered")));
    await expect(read(migration)).rejects.toMatchObject({ kind: "permission" });
    expect(readdirSync(at.world.places(plan).work)).toEqual(folders);
    expect([250, 750]).toContain(await termsIn(migration));
  });

  test("a first export that fails in the middle leaves no snapshot and nothing half-written", async () => {
    const at = await stage({ kept: "files" });
    seedTerms(at.source, 250);
    forbid(at, "dev", 1);
    const migration = at.world.migration(plan);
    await expect(read(migration)).rejects.toMatchObject({ kind: "permission" });
    expect(readdirSync(at.world.places(plan).work)).toEqual([]);
  });

  inWhole("a disk that refuses the target's snapshot is said, while the source is still read", async () => {
    const at = await stage();
    seedTerms(at.source, 250);
    const made = at.world.migration(plan);
    const createSnapshot: typeof made.store.work.createSnapshot = async (side, time) => {
      if (side === "source") return made.store.work.createSnapshot(side, time);
      throw new StoreError("disk-full", "snapshot", "the disk is full", "Free some space.");
    };
    const work = Object.create(made.store.work, { createSnapshot: { value: createSnapshot } });
    const migration = at.world.migration(plan, { store: { state: made.store.state, work } });
    const untaken = await untakenDuring(() =>
      expect(read(migration)).rejects.toMatchObject({ code: "disk-full" }),
    );
    expect(untaken).toEqual([]);
  });
});
