import { computeDiff, type Diff } from "../../../src/engine/diff/index.ts";
import { liesOver } from "../../../src/engine/facets/standing.ts";
import type { Unpaired } from "../../../src/engine/pair/unpaired.ts";
import { Overlays } from "../../../src/engine/read/overlays.ts";
import type { TargetState } from "../../../src/engine/read/target.ts";
import { registry } from "../../../src/kinds/index.ts";
import type { MovedKind } from "../../../src/kinds/kind.ts";
import { fingerprint } from "../../../src/model/canonical.ts";
import type { JsonObject } from "../../../src/model/json.ts";
import type { MappingEntry } from "../../../src/model/mapping.ts";
import { MappingTable } from "../../../src/model/mapping-table.ts";
import type { Plan } from "../../../src/model/plan.ts";
import { strip } from "../../../src/model/shape.ts";
import { subEntityKeys } from "../../../src/model/sub-entity.ts";
import { type Urn, urnType } from "../../../src/model/urn.ts";
import type { ReadClient } from "../../../src/service/index.ts";
import { memoryStore, type SnapshotReader } from "../../../src/store/index.ts";
import { planOf, type PlanChanges } from "../../support/plan.ts";
import { acrossTo, Table } from "./table.ts";
import { FoundTable } from "../../../src/model/packed/found-table.ts";

/** How things of a kind stand in a table. */
export interface Sort {
  readonly kind: MovedKind;
  /** The URN of the thing with this label. */
  urn(side: Table, label: string): Urn;
  /** Its body in the URNs of the side; `mark` tells versions apart. */
  body(side: Table, label: string, name: string, mark: string | undefined): JsonObject;
}

/**
 * Two environments, what the last apply left in the mapping, and what a diff makes of them: nothing is read, sent or
 * written.
 */
export class Tables {
  readonly source = new Table("dev");
  readonly target = new Table("prod");
  readonly mapping = new MappingTable((kind) => registry.owns(kind));
  /** Labels of given things that the target has not. */
  readonly #lacking = new Set<string>();

  /** As the last apply left it: the same on both sides, and in the mapping. */
  moved(sort: Sort, label: string): Urn {
    const { source, target, mapping } = this;
    const urn = this.put(source, sort, label);
    const twin = this.put(target, sort, label);
    const body = (side: Table): JsonObject => sort.body(side, label, label, undefined);
    const keys = [...subEntityKeys(body(source))].map((key) => [key, target.key(source.labelOf(key))]);
    const print = fingerprint(strip(body(target), sort.kind.shape), sort.kind.shape);
    const entry: MappingEntry = {
      name: label,
      target: twin,
      origin: liesOver(sort.kind) ? "paired" : "created",
      sourceFingerprint: print,
      targetFingerprint: print,
      ...(keys.length === 0 ? {} : { keys: Object.fromEntries(keys) as Record<string, string> }),
    };
    mapping.set(sort.kind.name, urn, entry);
    return urn;
  }

  /** On one side only, or over what stands there; it is called like its label unless something else is said. */
  put(side: Table, sort: Sort, label: string, mark?: string, name = label): Urn {
    const urn = sort.urn(side, label);
    side.put(sort.kind.name, urn, name, sort.body(side, label, name, mark));
    return urn;
  }

  drop(side: Table, sort: Sort, label: string): void {
    side.drop(sort.kind.name, sort.urn(side, label));
  }

  /** A given thing is not there any more. */
  targetLacks(label: string): void {
    this.#lacking.add(label);
  }

  async diff(changes: PlanChanges): Promise<(policy: Partial<Plan["policy"]>) => Promise<Diff>> {
    const plan = planOf(changes);
    const opened = await registry.open(
      { side: "target", client: withModel(), plan },
      new Set(plan.select.kinds),
    );
    const kinds = registry.moved().filter(({ selectedAs }) => plan.select.kinds.includes(selectedAs));
    const [source, target] = await Promise.all([
      snapshot("source", this.source, kinds),
      snapshot("target", this.target, kinds),
    ]);
    const state = this.#state(target, kinds);
    return async (policy) =>
      computeDiff({
        registry: opened,
        plan: { ...plan, policy: { ...plan.policy, ...policy } },
        source,
        target: state,
        mapping: this.mapping,
        inDoubt: new Set(),
      });
  }

  #state(snapshot: SnapshotReader, kinds: readonly MovedKind[]): TargetState {
    const twins = new Map<string, string>();
    const unpaired = new Map<string, Unpaired>();
    for (const [urn, label] of this.source.givens()) {
      if (this.#lacking.has(label)) unpaired.set(urn, notThere(label));
      else twins.set(urn, acrossTo(this.target, this.source, urn));
    }
    const overlays = new Overlays();
    for (const kind of kinds) {
      if (!liesOver(kind)) continue;
      for (const { urn, body } of this.source.rows(kind.name)) {
        if (twins.has(kind.over.urn(body) ?? ""))
          overlays.set(kind, urn, acrossTo(this.target, this.source, urn));
      }
    }
    return {
      snapshot,
      pairs: {
        twins,
        unpaired,
        unlisted: new Map(),
        supposed: new Map(),
        untold: new Set(),
        inside: new Map(),
        records: new FoundTable(),
      },
      overlays,
    };
  }
}

/** An environment that can be asked for its metadata model alone. */
function withModel(): ReadClient {
  const properties = [
    ...["name", "description"].map((name) => ({ name, type: "SCALAR", scalarType: "string" })),
    { name: "tier", type: "SCALAR", scalarType: "integer" },
    { name: "domain", type: "SINGLE_REFERENCE", entityName: "term" },
    { name: "items", type: "ARRAY_REFERENCE", entityName: "catalogItem" },
  ];
  const extra = [
    { name: "freshnessHours", type: "SCALAR", scalarType: "double" },
    { name: "sensitive", type: "SCALAR", scalarType: "boolean" },
    { name: "explainedBy", type: "ARRAY_REFERENCE", entityName: "term" },
  ];
  const items = [
    { name: "dataProduct", nodePaths: ["/dataProducts"], properties },
    ...["term", "folder", "catalogItem", "attribute"].map((name) => ({ name, properties: extra })),
  ];
  const catalog = {
    async *metadataModel() {
      yield { items };
    },
  };
  return { catalog } as unknown as ReadClient;
}

function notThere(name: string): Unpaired {
  const reason = "nothing fits";
  const suggestion = "Import it.";
  const cause = { key: name, summary: reason, suggestion };
  return { kind: "catalog-items", name, reason, suggestion, candidates: [], mayDrop: false, cause };
}

async function snapshot(
  side: "source" | "target",
  table: Table,
  kinds: readonly MovedKind[],
): Promise<SnapshotReader> {
  const party = (name: string): { name: string; baseUrl: string; tenant: string } => ({
    name,
    baseUrl: `https://${name}.example.com`,
    tenant: name,
  });
  const { work } = memoryStore({ plan: "test", parties: { source: party("dev"), target: party("prod") } });
  const writer = await work.createSnapshot(side, "2026-01-01T00:00:00.000Z");
  for (const kind of kinds) for (const row of table.rows(kind.name)) await writer.add(kind.name, row);
  // An export keeps the given things that were referred to.
  for (const [urn, name] of table.givens()) {
    const kind = registry.givenOf(urnType(urn) ?? "");
    if (kind !== undefined) await writer.add(kind.name, { urn, name, body: { urn, name } });
  }
  return writer.finishAndOpen({
    kinds: Object.fromEntries(kinds.map(({ name }) => [name, { complete: true }])),
    notes: {},
  });
}
