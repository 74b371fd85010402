import { pairGiven, type Pairs } from "../../../src/engine/pair/pairing.ts";
import type { Found, GivenKind } from "../../../src/kinds/kind.ts";
import { Registry } from "../../../src/kinds/registry.ts";
import { MappingTable } from "../../../src/model/mapping-table.ts";
import type { Pairing } from "../../../src/model/plan.ts";
import type { ReadClient } from "../../../src/service/index.ts";

const id = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
const urn = (side: "dev" | "prod", number: number): string => `urn:data:${side}:area:thing:${id(number)}`;
export const dev = (number: number): string => urn("dev", number);
export const prod = (number: number): string => urn("prod", number);

export function found(at: string, name: string, body: Found["body"] = {}): Found {
  return { urn: at, name, body };
}

/** A kind that is paired by name. */
export function named(name: string, candidates: readonly Found[], more: Partial<GivenKind> = {}): GivenKind {
  return {
    name,
    selectedAs: name,
    mode: "given",
    urnTypes: [`area:${name}`],
    after: [],
    read: async () => [],
    candidates: async () => candidates,
    sourceKeys: (record) => [record.name],
    targetKeys: (record) => [record.name],
    advice: `Create the ${name}.`,
    ...more,
  };
}

export const noPairing: Pairing = {
  sources: {},
  connections: {},
  paths: [],
  queries: [],
  parentProperties: {},
  groups: {},
};

/** Pairs these records of the source. */
export async function pair(
  kinds: readonly GivenKind[],
  records: Readonly<Record<string, readonly Found[]>>,
  more: { pairing?: Partial<Pairing> } & Partial<
    Pick<Parameters<typeof pairGiven>[0], "mapping" | "mayDrop" | "isMoved" | "sourceNotKnown" | "told">
  > = {},
): Promise<Pairs> {
  const { mapping = new MappingTable(), mayDrop = () => false, pairing, ...rest } = more;
  return pairGiven({
    client: {} as ReadClient,
    registry: new Registry(kinds),
    pairing: { ...noPairing, ...pairing },
    mapping,
    targetUrns: { tenant: "prod" },
    sourceRecords: (kind) => records[kind] ?? [],
    mayDrop,
    ...rest,
  });
}
