import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { LogEntry } from "../../../src/emulator/index.ts";
import type { JsonObject } from "../../../src/emulator/json.ts";
import { GivenReader } from "../../../src/engine/read/given-reader.ts";
import { readListings } from "../../../src/engine/read/listing.ts";
import { applyPlan, type ApplyPlanOptions } from "../../../src/operations/apply.ts";
import { diffPlan } from "../../../src/operations/diff.ts";
import { readState } from "../../../src/operations/state.ts";
import type { MovedKind, Step } from "../../../src/kinds/kind.ts";
import { digest, fingerprint } from "../../../src/model/canonical.ts";
import type { AppliedChange } from "../../../src/model/change.ts";
import type { MappingEntry } from "../../../src/model/mapping.ts";
import type { Result } from "../../../src/model/result.ts";
import { strip } from "../../../src/model/shape.ts";
import { type Side, sides } from "../../diff/support/side.ts";
import { type PlanChanges, type World, world } from "../../support/world.ts";

/** Two environments with the same given things and nothing to move yet. */
export async function place(): Promise<Place> {
  return new Place(await world("empty"));
}

/** The same for one test, which closes it. */
export async function fresh(): Promise<Place> {
  const at = await place();
  onTestFinished(async () => at.world.close());
  return at;
}

/** The change of a source object. */
export function changeOf(result: Result, source: string): AppliedChange {
  const change = result.changes.find((candidate) => candidate.source?.urn === source);
  if (change === undefined) throw new Error(`there is no change of ${source}`);
  return change;
}

export class Place {
  readonly world: World;
  readonly source: Side;
  readonly target: Side;

  constructor(made: World) {
    this.world = made;
    ({ source: this.source, target: this.target } = sides(made));
  }

  /** A dry run: neither side is written. */
  async diff(plan: PlanChanges): Promise<Result> {
    this.world.emulator.log.clear();
    const result = await diffPlan(this.world.migration(plan));
    if (this.writes("prod").length + this.writes("dev").length > 0)
      throw new Error("a dry run wrote something");
    return result;
  }

  /** The log holds the requests of this run alone; the source is never written. */
  async apply(plan: PlanChanges, options: Partial<ApplyPlanOptions> = {}): Promise<Result> {
    this.world.emulator.log.clear();
    const result = await applyPlan(this.world.migration(plan), { confirm: async () => true, ...options });
    if (this.writes("dev").length > 0) throw new Error("the source was written");
    return result;
  }

  /** Requests that change something: neither reads, nor tokens, nor the filter, which is a question in a body. */
  writes(tenant: "dev" | "prod" = "prod"): readonly LogEntry[] {
    // An empty merge patch changes nothing: it asks for the draft of a rule.
    const looks = ({ method, path, body }: LogEntry): boolean =>
      method === "GET" ||
      /\/(token|filter)$/.test(path) ||
      (method === "PATCH" && JSON.stringify(body) === "{}");
    return this.world.emulator.log.entries.filter((entry) => entry.tenant === tenant && !looks(entry));
  }

  step(kind: MovedKind, name: string): Step {
    const remove = kind.mode === "entity" && kind.remove !== undefined ? [kind.remove] : [];
    const steps = [...(kind.mode === "entity" ? kind.create : []), ...(kind.update ?? []), ...remove];
    const found = steps.find((step) => step.name === name);
    if (found === undefined) throw new Error(`${kind.name} has no step ${name}`);
    return found;
  }

  /** The rows of the mapping that belong to a kind and were applied, journal included. */
  async entries(kind: MovedKind): Promise<ReadonlyMap<string, MappingEntry>> {
    const { mapping } = await readState(this.world.migration());
    const rows = [...mapping.entries(kind.name)].filter(
      ([, { run, sourceFingerprint }]) => run !== undefined && sourceFingerprint !== undefined,
    );
    const seeded = kind.mode === "overlay" ? rows.filter(([urn]) => !this.#isBlank(urn)) : rows;
    return new Map(seeded);
  }

  /** The target twin of a moved object. */
  async twinOf(source: string): Promise<string> {
    const { mapping } = await readState(this.world.migration());
    const entry = mapping.all(source)[0]?.entry;
    if (entry === undefined) throw new Error(`${source} has no twin`);
    return entry.target;
  }

  /** Fingerprints of a kind's objects as the target lists them now, by URN. */
  async listedPrints(kind: MovedKind, plan: PlanChanges = {}): Promise<ReadonlyMap<string, string>> {
    const migration = this.world.migration(plan);
    const client = migration.targetReads();
    const kinds = await migration.kinds("target");
    const prints = new Map<string, string>();
    await readListings({
      client,
      kinds: [kinds.movedKind(kind.name) ?? kind],
      given: new GivenReader(client, kinds),
      side: "target",
      report: () => {},
      take: (_kind, { urn, body }) => void prints.set(urn, fingerprint(strip(body, kind.shape), kind.shape)),
    });
    await migration.close();
    return prints;
  }

  /** What a side publishes under a URN, in the shape that its kind moves. */
  listedBody(side: Side, kind: MovedKind, urn: string): JsonObject {
    return kind.mode === "link" ? {} : (strip(side.body(urn), kind.shape) as JsonObject);
  }

  /** Every mapping file with a digest of its content. */
  mappingFiles(): ReadonlyMap<string, string> {
    const folder = join(this.world.folder, "mappings");
    const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
      name.endsWith(".json"),
    );
    return new Map(names.sort().map((name) => [name, digest(readFileSync(join(folder, name), "utf8"))]));
  }

  /** A primary monitor that nobody has configured: equal on both sides from the start. */
  #isBlank(urn: string): boolean {
    const body = this.source.tenant.monitors.get(urn)?.published;
    return body !== undefined && body["manualRuleInstances"] === undefined && body["schedule"] === undefined;
  }
}
