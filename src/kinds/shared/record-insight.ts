import { display } from "../../model/display.ts";
import type { JsonObject } from "../../model/json.ts";
import { child, text } from "../../model/json.ts";
import type {
  HistoricalRecord,
  IdentifyInput,
  MasterDataReadClient,
  Match,
  RecordEntity,
  StoredRecord,
} from "../../service/index.ts";
import type { Identification, MasterMatch, OpenTable, RowVersion } from "../kind.ts";
import { isRefused } from "./answers.ts";
import { activeName, isComputed, overridden, originName } from "./instance-rows.ts";
import { inactiveName } from "./master-rows.ts";

/**
 * Asks which master an instance would join. The view is the plan's, or the only one of the target that shows the entity;
 * it is looked for once, with the first question. What it is related to goes along (document 3, "Identify and search"), unless the target
 * refuses that.
 */
export function identifier(
  client: MasterDataReadClient,
  { entity, view }: { readonly entity: string; readonly view?: string | undefined },
  relatedTo: (values: JsonObject) => Promise<IdentifyInput["record"]["relationships"]>,
): NonNullable<OpenTable["identify"]> {
  let only: Promise<string | { readonly notKnown: string }> | undefined;
  return async (values) => {
    only ??= view === undefined ? onlyView(client, entity) : Promise.resolve(view);
    const found = await only;
    if (typeof found !== "string") return found;
    const of = { layer: "master", view: found, entity } as const;
    const sourceSystem = (text(values, originName) ?? "").split("#")[0] ?? "";
    const ask = async (record: IdentifyInput["record"]): Promise<Identification> => {
      const said = await client.records.identify(of, { sourceSystem, record });
      const { match, proposals = [] } = said ?? {};
      return { joins: match === undefined ? undefined : matchOf(match), proposals: proposals.map(matchOf) };
    };
    const attributes = attributesOf(values);
    const relationships = await relatedTo(values);
    if (relationships === undefined) return ask({ attributes });
    try {
      return await ask({ attributes, relationships });
    } catch (error) {
      if (!isRefused(error)) throw error;
      return { ...(await ask({ attributes })), unrelated: error.message };
    }
  };
}

async function onlyView(
  { records, environment }: MasterDataReadClient,
  entity: string,
): Promise<string | { readonly notKnown: string }> {
  const notKnown = (why: string) => ({ notKnown: `${environment.name} cannot be asked: ${why}` });
  const untold = "which master views show them it tells in no form that is known: name one as view";
  const having: string[] = [];
  const views = await records.views();
  if (views === undefined) return notKnown(untold);
  for (const view of views) {
    const entities = await records.entitiesOf(view);
    if (entities === undefined) return notKnown(untold);
    if (entities.includes(entity)) having.push(view);
  }
  const [only, ...more] = having;
  if (only === undefined) return notKnown("no master view of it shows them");
  if (more.length === 0) return only;
  return notKnown(
    `several master views of it show them (${having.map(display).join(", ")}): name one as view`,
  );
}

/** As the record will show: an override counts for what is below it. What the server works out itself is no attribute of a source. */
function attributesOf(values: JsonObject): JsonObject {
  const plain = Object.entries(values).filter(([name]) => !name.startsWith("("));
  const over = Object.entries(values).flatMap(([name, value]) => {
    const attribute = overridden(name);
    return attribute === undefined || isComputed(attribute) ? [] : [[attribute, value] as const];
  });
  return Object.fromEntries([...plain, ...over]);
}

function matchOf({ masterId, rule, quality, record }: Match): MasterMatch {
  const name = record === undefined ? undefined : nameOf(record);
  return {
    master: masterId,
    ...(name === undefined ? {} : { name }),
    ...(rule === undefined ? {} : { rule }),
    ...(quality === undefined ? {} : { quality }),
  };
}

/** No field is the name of a master: what is called so, or else the first text of its own columns. */
function nameOf({ attributes }: StoredRecord): string | undefined {
  const texts = Object.entries(attributes).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string" && entry[1] !== "",
  );
  const own_ = texts.filter(([name]) => name.startsWith("cmo_"));
  return (own_.find(([name]) => name.endsWith("name")) ?? own_[0] ?? texts[0])?.[1];
}

/** What a record was at the target (document 3, "History"); the columns of it that are moved, and its activity. */
export function historian(
  client: MasterDataReadClient,
  of: RecordEntity,
): (address: string) => Promise<readonly RowVersion[] | undefined> {
  return async (address) => (await client.records.history(of, { id: address }))?.map(versionOf);
}

function versionOf(version: HistoricalRecord): RowVersion {
  const { attributes, isActive, validFrom } = version;
  const metadata = child(version.body, "metadata") ?? {};
  // Of masters an attribute says who; of instances the origin is whoever sends it.
  const by = text(attributes, "published_by") ?? text(metadata, "origin");
  const activity =
    isActive === undefined ? {} : { [activeName]: isActive, ...(isActive ? {} : { [inactiveName]: true }) };
  return {
    from: validFrom,
    ...(by === undefined ? {} : { by }),
    values: { ...attributes, ...activity },
  };
}
