import { z } from "zod";
import type { JsonObject } from "../model/json.ts";
import { child, own, text } from "../model/json.ts";
import type { PlanSection } from "../plan/section.ts";
import type { ReadClient } from "../service/index.ts";
import type { Environment, Listed, OverlayKind, Step } from "./kind.ts";
import { ofTheAsked, pairAnswers, pointedInData } from "./shared/batch.ts";
import { folderEntities } from "./shared/folder-entities.ts";
import { itemsOf } from "./shared/found.ts";
import { modelOf, typesToList } from "./shared/model.ts";
import { shownEntities } from "./shared/shown-entities.ts";

declare module "../model/plan.ts" {
  interface Policy {
    /** What a steward keeps who is replaced; page 04 has seen `viewMetadata`. */
    readonly previousSteward: string;
  }
}

const settings = {
  policy: {
    previousSteward: {
      schema: z.string().min(1).default("viewMetadata").describe("What a steward keeps who is replaced."),
    },
  },
} satisfies PlanSection;

const include = ["effectiveStewardship"] as const;

/** Types of what imported items lie in: most of them have the steward of one of these. */
const importedPlaces: readonly string[] = ["source", "location"];

/** Only what a thing carries itself: an inherited steward comes with what it is inherited from. */
function ownSteward(thing: JsonObject): Listed {
  const urn = text(thing, "urn") ?? "";
  const stewardship = child(thing, "effectiveStewardship");
  const isOwn = stewardship !== undefined && text(stewardship, "originUrn") === urn;
  const groupUrn = isOwn ? text(stewardship, "groupUrn") : undefined;
  const name = text(thing, "name") ?? text(child(thing, "properties") ?? {}, "name") ?? "";
  const body = { entityUrn: urn, ...(groupUrn === undefined ? {} : { groupUrn }) };
  return { urn, name, body };
}

/** A type of generic entities, and whether its model has a name to ask for. */
interface Listing {
  readonly entityType: string;
  readonly properties: readonly string[];
  /** No document says that its list shows them. */
  readonly isImported: boolean;
}

async function* pages(
  client: ReadClient,
  entityTypes: readonly Listing[],
): AsyncGenerator<readonly JsonObject[]> {
  yield* itemsOf(client.catalog.terms({ include }));
  yield* itemsOf(client.catalog.filterCatalogItems({ name: { isNotNull: true } }, { include }));
  for (const { entityType, properties, isImported } of entityTypes) {
    const wanted = { properties, include };
    if (entityType === "folder") yield* folderEntities(client, wanted);
    else if (isImported) yield* shownEntities(client, entityType, wanted);
    else yield* itemsOf(client.catalog.entities({ entityType, ...wanted }));
  }
}

async function read(client: ReadClient, urn: string): Promise<JsonObject | undefined> {
  const thing = await client.catalog.entity(urn, { include });
  return thing === undefined ? undefined : ownSteward(thing).body;
}

function manage(previousStewardAccessLevel: string): Step {
  return {
    name: "manage",
    effect: "changes",
    atMost: 100,
    atomic: false,
    settle: "by-reading",
    ifAbsent: {
      code: "no-stewardship-interface",
      reason: "the target offers no way to name a steward: its interface is in no document, and is not there",
      suggestion: "Name the groups in the web application of the target.",
    },
    async send(client, items) {
      const answer = await client.catalog.manageStewardship(
        items.map((item) => ({
          id: item.source,
          entityUrn: item.target ?? "",
          groupUrn: text(item.body, "groupUrn") ?? "",
          previousStewardAccessLevel,
        })),
      );
      return ofTheAsked(items, pairAnswers(items, answer));
    },
    blame: pointedInData,
    readBack: (client, item) => read(client, item.target ?? ""),
  };
}

function opened(previousSteward: string, entityTypes: readonly Listing[]): OverlayKind {
  return {
    name: "stewardship",
    selectedAs: "stewardship",
    mode: "overlay",
    urnTypes: [],
    settings,
    shape: { known: ["entityUrn", "groupUrn"], serverOwned: [], fixed: ["entityUrn"] },
    open,
    feed: { name: "stewardship", pages: (client) => pages(client, entityTypes) },
    accept: ownSteward,
    one: (client, urn) => read(client, urn),
    refersTo: ["terms", "folders", "sources", "locations", "catalog-items", "groups"],
    over: {
      kinds: ["terms", "folders", "sources", "locations", "catalog-items", "sql-items", "entities"],
      urn: (body) => text(body, "entityUrn"),
    },
    canBeSilent: true,
    clashes: true,
    cannot: (patch) =>
      own(patch, "groupUrn") === null
        ? {
            code: "steward-stays",
            reason: "how a steward is taken away is not known",
            suggestion: "Take the steward away in the web application of the target.",
          }
        : undefined,
    update: [manage(previousSteward)],
  };
}

async function open({ client, plan }: Environment): Promise<OverlayKind> {
  const model = await modelOf(client);
  // The list of folders shows no stewards; that of entities does, and a folder is one. Sources and locations have no other list.
  const isKnown = (name: string): boolean => model.has(name);
  const places = ["folder", ...importedPlaces].filter(isKnown);
  const imported = new Set(typesToList(model, importedPlaces.filter(isKnown)).map(([name]) => name));
  const listings = typesToList(model, [...places, ...plan.select.entityTypes]).map(([entityType, line]) => {
    const hasName = line.every(({ properties }) => properties.has("name"));
    return { entityType, properties: hasName ? ["name"] : [], isImported: imported.has(entityType) };
  });
  return opened(plan.policy.previousSteward, listings);
}

/** Who answers for a thing (page 04: the interface is not in the documents, and may not be there). */
export const stewardship: OverlayKind = opened("viewMetadata", []);
