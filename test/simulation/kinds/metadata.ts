import type { Tenant } from "../../../src/emulator/index.ts";
import type { JsonObject } from "../../../src/emulator/json.ts";
import * as seed from "../../../src/emulator/seed.ts";
import type { Urn } from "../../../src/model/urn.ts";
import type { Given } from "../../properties/estates/given.ts";
import type { Dice } from "../dice.ts";
import type { PlainName, SimulatedKind } from "./kind.ts";
import { itself, saying } from "./shared.ts";

interface MetadataPlan {
  /** Of the things that there are. */
  readonly place: number;
  readonly description: string | undefined;
  readonly note: string | undefined;
}

interface Thing {
  readonly urn: Urn;
  readonly description?: string;
  readonly extraProperties: JsonObject;
}

interface Things {
  get(urn: string): Thing | undefined;
  put(thing: never): unknown;
  delete(urn: string): boolean;
  values(): Iterable<Thing>;
}

/** A description and a property that lie over something given; what two of these kinds differ in. */
export function metadataKind(about: {
  readonly name: PlainName;
  readonly type: string;
  readonly things: (tenant: Tenant) => Things;
  readonly isOurs: (thing: Thing) => boolean;
  readonly places: (given: Given, tenant: Tenant) => readonly Urn[];
  readonly fields: readonly string[];
  readonly writes: readonly string[];
}): SimulatedKind<MetadataPlan> {
  const { name, type, things, isOurs, places, fields, writes } = about;
  const body = (tenant: Tenant, urn: string): JsonObject | undefined => {
    const thing = things(tenant).get(urn);
    if (thing === undefined || !isOurs(thing)) return undefined;
    const row = thing as unknown as JsonObject;
    return saying(Object.fromEntries(fields.map((field) => [field, row[field] ?? null])));
  };
  return {
    name,
    isOver: true,
    prepare: (tenant) => void seed.seedMetadataProperty(tenant, type, { name: "note" }),
    draw: (dice: Dice) =>
      Array.from({ length: 1 + dice.below(4) }, () => ({
        place: dice.below(12),
        description: dice.chance(0.4) ? undefined : dice.pick(["What it means", "<b>bold</b>"]),
        note: dice.chance(0.5) ? undefined : dice.pick(["one", "two"]),
      })),
    seed(tenant, given, plans) {
      const all = places(given, tenant);
      for (const { place, description, note } of plans) {
        const thing = things(tenant).get(all[place % all.length] ?? "");
        if (thing === undefined) continue;
        const isKnown = tenant.model.property(type, "note") !== undefined;
        const extra = note === undefined || !isKnown ? {} : { note };
        things(tenant).put({
          ...thing,
          ...(description === undefined ? {} : { description }),
          extraProperties: { ...thing.extraProperties, ...extra },
        } as never);
      }
    },
    shelves: (tenant) => [{ rows: things(tenant), of: itself }],
    urns: (tenant) =>
      [...things(tenant).values()]
        .filter(({ urn }) => Object.keys(body(tenant, urn) ?? {}).length > 0)
        .map(({ urn }) => urn),
    body,
    label: (_tenant, _body, urn) => `${name} of ${urn.slice(-36, -28)}`,
    hows: ["text", "text", "less", "more"],
    put(tenant, urn, changed) {
      const thing = things(tenant).get(urn);
      if (thing === undefined) return;
      const { description: _before, ...rest } = thing;
      things(tenant).put({ ...rest, extraProperties: {}, ...changed, urn } as never);
    },
    change: (tenant, before, value) => ({
      ...before,
      description: `changed ${value}`,
      ...(value % 3 === 0 && tenant.model.property(type, "note") !== undefined
        ? { extraProperties: { note: `changed ${value}` } }
        : {}),
    }),
    places,
    writes,
  };
}
