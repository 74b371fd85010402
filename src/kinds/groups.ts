import { z } from "zod";
import { child, text } from "../model/json.ts";
import type { Pairing } from "../model/plan.ts";
import { formatUrn, isUuid, parseUrn, uuidOf } from "../model/urn.ts";
import type { PlanSection } from "../plan/section.ts";
import type { ReadClient } from "../service/index.ts";
import type { Found, GivenKind } from "./kind.ts";
import { isAnswered } from "./shared/answers.ts";
import { listOrNotKnown } from "./shared/not-known.ts";

declare module "../model/plan.ts" {
  interface Pairing {
    /** UUID to UUID. */
    readonly groups: Readonly<Record<string, string>>;
  }
  interface Policy {
    readonly missingGroup: "block" | "drop";
  }
}

const settings = {
  pairing: {
    groups: {
      schema: z
        .record(z.string(), z.uuid())
        .default({})
        .describe("Groups of people: UUID at the source to UUID at the target."),
    },
  },
  policy: {
    missingGroup: {
      schema: z
        .enum(["block", "drop"])
        .default("block")
        .describe("A group that has no pair: what refers to it is blocked, or the reference is left out."),
      after: "targetOnly",
    },
  },
  check({ pairing: { groups: said } }) {
    const keys = Object.keys(said);
    const [path, suggestion] = [
      "pairing.groups",
      'Write the bare UUID of the group: "<source uuid>": "<target uuid>".',
    ];
    // An entry that fits no group would be passed over, and its group paired by its name.
    if (!keys.every(isUuid))
      return [{ path, summary: `"${path}": not every group of the source is named by its UUID`, suggestion }];
    return new Set(keys.map(asOne)).size === keys.length
      ? []
      : [{ path, summary: `"${path}": one group of the source stands there twice`, suggestion }];
  },
} satisfies PlanSection;

/**
 * Groups of people. The plan names the target's UUID (pairing.groups) and the URN is built from it (document 2,
 * Migration rules 3). No document offers a list of them; where the generic entity interface lists them on both sides,
 * those that the plan does not name are paired by equal name.
 */
export const groups: GivenKind = {
  name: "groups",
  selectedAs: "groups",
  mode: "given",
  urnTypes: ["iam:group"],
  modelType: "group",
  settings,
  after: [],
  async read(client, urns) {
    const names = await namesOf(client);
    return [...urns].map((urn) => groupOf(urn, names?.get(urn)));
  },
  async candidates(client, records, context) {
    const all = records.flatMap((record) => {
      const uuid = twinSaid(record, context.pairing);
      const parts = parseUrn(context.inTarget(record.urn));
      return uuid === undefined || parts === undefined ? [] : [formatUrn({ ...parts, uuid })];
    });
    const names = records.some((record) => isNamed(record) || all.length > 0)
      ? await namesOf(client)
      : undefined;
    // The plan may give one to several, and in other letters: it is one thing all the same.
    const ones = [...new Map(all.map((urn) => [urn.toLowerCase(), urn])).values()];
    if (names === undefined) return { onlySaid: ones.map((urn) => groupOf(urn)) };
    const shown = new Map([...names.keys()].map((urn) => [asOne(uuidOf(urn)), urn]));
    const said = ones.map((urn) => shown.get(asOne(uuidOf(urn))) ?? urn);
    const gone = await goneOf(client, said, names);
    const named = said.filter((urn) => !gone.has(urn)).map((urn) => groupOf(urn));
    // One that the plan gives to somebody is nobody else's by its name.
    const taken = new Set(Object.values(context.pairing.groups).map(asOne));
    const free = [...names].filter(([urn]) => !taken.has(asOne(uuidOf(urn))));
    return [...named, ...free.map(([urn, name]) => groupOf(urn, name))];
  },
  sourceKeys(record, { pairing }) {
    const uuid = twinSaid(record, pairing);
    return uuid === undefined ? nameKeys(record) : [asOne(uuid)];
  },
  targetKeys: (record) => [asOne(uuidOf(record.urn)), ...nameKeys(record)],
  withoutKey:
    "the plan has no entry for it under pairing.groups, and groups are paired only there: no interface lists them",
  traits(record, { pairing }) {
    const uuid = twinSaid(record, pairing);
    return uuid === undefined
      ? [{ label: "name", value: record.name, fits: [record.name] }]
      : [{ label: "group", value: uuidOf(record.urn), fits: [uuid] }];
  },
  pairedUnder: "groups",
  planWord: ({ urn }) => uuidOf(urn),
  otherwise: "or set policy.missingGroup to drop, which leaves the reference out",
  advice:
    "Name the target's group under pairing.groups in the plan (source uuid: target uuid), or set policy.missingGroup to drop.",
  mayDrop: (policy) => policy.missingGroup === "drop",
};

/** By URN; undefined where they cannot be listed. */
async function namesOf(client: ReadClient): Promise<ReadonlyMap<string, string> | undefined> {
  const found = await listOrNotKnown(
    client.catalog.entities({ entityType: "group", properties: ["name"] }),
    "helpful",
  );
  if ("notKnown" in found) return undefined;
  return new Map(
    found.flatMap((group): [string, string][] => {
      const name = text(child(group, "properties") ?? {}, "name");
      return name === undefined || name === "" ? [] : [[text(group, "urn") ?? "", name]];
    }),
  );
}

/**
 * Which of those that the plan names are not there (any more): the list shows others and not them, and by itself each is
 * answered with "does not exist". A list without any says nothing: groups may be kept where it does not look.
 */
async function goneOf(
  client: ReadClient,
  urns: readonly string[],
  names: ReadonlyMap<string, string>,
): Promise<ReadonlySet<string>> {
  const unseen = names.size === 0 ? [] : new Set(urns.filter((urn) => !names.has(urn)));
  const gone = new Set<string>();
  for (const urn of unseen) {
    try {
      if ((await client.catalog.entity(urn, { properties: ["name"] })) === undefined) gone.add(urn);
    } catch (error) {
      // Where it cannot be asked for, the plan's word stands.
      if (!isAnswered(error)) throw error;
    }
  }
  return gone;
}

/** One that no list shows goes by its UUID. */
function groupOf(urn: string, name?: string): Found {
  return name === undefined ? { urn, name: uuidOf(urn), body: { urn } } : { urn, name, body: { urn, name } };
}

function isNamed({ body }: Found): boolean {
  return text(body, "name") !== undefined;
}

function nameKeys(record: Found): readonly string[] {
  return isNamed(record) ? [`name ${record.name}`] : [];
}

/** People may write one in other letters than the service. */
function asOne(uuid: string): string {
  return uuid.toLowerCase();
}

function twinSaid({ urn }: Found, { groups: said }: Pairing): string | undefined {
  const uuid = uuidOf(urn);
  if (Object.hasOwn(said, uuid)) return said[uuid];
  const [, twin] = Object.entries(said).find(([key]) => asOne(key) === asOne(uuid)) ?? [];
  return twin;
}
