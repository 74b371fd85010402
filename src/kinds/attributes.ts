import { text } from "../model/json.ts";
import { TextSet } from "../model/packed/text-set.ts";
import type { ReadClient } from "../service/index.ts";
import type { Found, GivenKind, PairingContext } from "./kind.ts";
import { all } from "./shared/found.ts";
import { GatheredAttributes } from "./shared/gathered-attributes.ts";
import { attributeIn, WholeList } from "./shared/attribute-list.ts";

/** Columns of catalog items, paired by (item, name). */
export const attributes: GivenKind = {
  name: "attributes",
  selectedAs: "attributes",
  mode: "given",
  urnTypes: ["catalog:catalog-attribute"],
  modelType: "attribute",
  after: ["catalog-items"],
  madeInPlace: true,
  ...reading((client, items) => ofItems(client, items, new WholeList(client))),
  foresee({ client, stop }) {
    const whole = new WholeList(client, stop);
    let isTaken = false;
    return {
      ...reading((other, items) => {
        const list = isTaken ? new WholeList(other) : whole;
        isTaken = true;
        return ofItems(other, items, list);
      }),
      certain({ isWanted, holders }) {
        if (isWanted && !isTaken && holders > few) whole.begin(holders);
      },
    };
  },
  gather() {
    const all = new GatheredAttributes();
    const listed = Promise.withResolvers<undefined>();
    listed.promise.catch(() => undefined); // Thrown to whoever asks.
    return {
      take: (page) => all.add(page),
      ended(error) {
        if (error === undefined) listed.resolve(undefined);
        else listed.reject(error);
      },
      certain: () => undefined,
      async read(client, urns) {
        await listed.promise;
        const found = all.named(urns);
        // Lists are not isolated from changes: what one does not show is asked for by itself.
        for (const urn of lacking(urns, found)) {
          const body = await client.catalog.attribute(urn);
          if (body !== undefined) found.push(attributeIn(body));
        }
        return found;
      },
      async candidates(_client, records, context) {
        await listed.promise;
        return all.ofItems(twinItems(records, context));
      },
    };
  },
  sourceKeys(record, context) {
    const item = context.twin(itemUrn(record));
    if (item === undefined) return [];
    return [key(item, record.name), key(item, context.rename(record.name))];
  },
  targetKeys: (record) => [key(itemUrn(record), record.name)],
  traits(record, words) {
    const item = words.twin(itemUrn(record));
    const nameOf = (urn: string): string => words.nameOf(urn) ?? urn;
    return [
      {
        label: "catalog item",
        value: nameOf(itemUrn(record)),
        fits: item === undefined ? [] : [nameOf(item)],
        always: true,
      },
      { label: "name", value: record.name, fits: [record.name, words.rename(record.name)] },
    ];
  },
  partOf: itemUrn,
  advice:
    "Check that the item's columns are the same at the target (import it again), or run `ferry mappings PLAN set <source urn> <target urn>`.",
};

function itemUrn(record: Found): string {
  return text(record.body, "catalogItemUrn") ?? "";
}

function key(item: string, name: string): string {
  return JSON.stringify([item, name]);
}

function lacking(urns: ReadonlySet<string>, found: readonly Found[]): ReadonlySet<string> {
  const read = new TextSet();
  for (const { urn } of found) read.add(urn);
  const lacking = new TextSet();
  for (const urn of urns) if (!read.has(urn)) lacking.add(urn);
  return lacking;
}

/** Nobody knows in which items they stand: the whole list, when that has fewer pages than there are attributes to ask for. */
async function fromWholeList(client: ReadClient, urns: ReadonlySet<string>): Promise<Found[]> {
  if (urns.size <= 3) return [];
  const found: Found[] = [];
  let isFirst = true;
  for await (const page of client.catalog.attributes({})) {
    if (isFirst && (page.total === undefined || Math.ceil(page.total / 100) > urns.size)) return [];
    isFirst = false;
    found.push(...page.items.map(attributeIn).filter((record) => urns.has(record.urn)));
  }
  return found;
}

function reading(
  of: (client: ReadClient, items: ReadonlySet<string>) => Promise<Found[]>,
): Pick<GivenKind, "read" | "candidates"> {
  return {
    async read(client, urns, related) {
      const found = await of(client, related("catalog-items"));
      const wanted = found.filter((record) => urns.has(record.urn));
      // One by one: there may be more than a call takes arguments.
      for (const record of await fromWholeList(client, lacking(urns, wanted))) wanted.push(record);
      for (const urn of lacking(urns, wanted)) {
        const body = await client.catalog.attribute(urn);
        if (body !== undefined) wanted.push(attributeIn(body));
      }
      return wanted;
    },
    candidates: (client, records, context) => of(client, twinItems(records, context)),
  };
}

/** Where the twins of attributes may stand. */
function twinItems(records: readonly Found[], context: PairingContext): ReadonlySet<string> {
  return new Set(records.map((record) => context.twin(itemUrn(record))).filter((urn) => urn !== undefined));
}

/** So many items are asked one by one, whatever the whole list has. */
const few = 3;

/** The attributes of some items. The list takes one item at a time; reading it whole may be the cheaper way. */
async function ofItems(client: ReadClient, items: ReadonlySet<string>, whole: WholeList): Promise<Found[]> {
  if (items.size <= few) return itemByItem(client, items);
  const found = await whole.all(items.size);
  return found === undefined
    ? itemByItem(client, items)
    : found.filter((record) => items.has(itemUrn(record)));
}

async function itemByItem(client: ReadClient, items: ReadonlySet<string>): Promise<Found[]> {
  const reads = [...items].map(async (catalogItemUrn) => all(client.catalog.attributes({ catalogItemUrn })));
  return (await Promise.all(reads)).flat().map(attributeIn);
}
