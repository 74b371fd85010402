import { text } from "../model/json.ts";
import { droppedProperties } from "./checks/dropped-properties.ts";
import type { Environment, OverlayKind } from "./kind.ts";
import { itemsOf } from "./shared/found.ts";
import { isPlacedInFolder } from "./shared/in-folder.ts";
import { itemFields } from "./shared/item-fields.ts";
import type { Metadata } from "./shared/metadata.ts";
import { metadataOf, metadataPatch, metadataShape } from "./shared/metadata.ts";
import { fittingExtra } from "./shared/extra-fit.ts";
import type { Model, TypeDefinition } from "./shared/model.ts";
import { modelOf, typesOf, writableNames } from "./shared/model.ts";
import { propertiesMayReferTo } from "./shared/extra-properties.ts";
import { modelGaps } from "./shared/model-gaps.ts";

/** Descriptions, aliases and extra properties of imported items (document 1, "Catalog items"). */
const metadata: Metadata = {
  over: "itemUrn",
  fields: ["description", "aliases", "extraProperties"],
  named: new Set([...itemFields, "type"]),
};

function opened(
  names: readonly string[],
  model: Model | undefined,
  types: readonly TypeDefinition[],
): OverlayKind {
  const fit = fittingExtra(model, types, "catalogItem");
  return {
    name: "item-metadata",
    selectedAs: "item-metadata",
    mode: "overlay",
    urnTypes: [],
    shape: metadataShape(metadata),
    open,
    feed: {
      name: "item-metadata",
      pages: (client) =>
        itemsOf(client.catalog.filterCatalogItems({ name: { isNotNull: true } }, { extraProperties: names })),
    },
    // SQL items carry theirs with them.
    accept: (item) => (isPlacedInFolder(item) ? undefined : metadataOf(item, metadata)),
    one: async (client, urn) => {
      const item = await client.catalog.catalogItem(urn, { extraProperties: names });
      return item === undefined ? undefined : metadataOf(item, metadata).body;
    },
    modelGaps: async (source, target) => modelGaps(source, target, ["catalogItem"]),
    refersTo: ["catalog-items"],
    mayReferTo: propertiesMayReferTo,
    over: { kinds: ["catalog-items"], urn: (body) => text(body, metadata.over) },
    canBeSilent: true,
    clashes: true,
    ...fit,
    asked: () => (model === undefined ? undefined : new Set(names)),
    checks: [droppedProperties("item-metadata", fit.misfits)],
    update: [
      metadataPatch({
        metadata,
        types,
        read: (client, urn) => client.catalog.catalogItem(urn, { extraProperties: names }),
        send: (client, urn, body) => client.catalog.patchCatalogItem(urn, body),
      }),
    ],
  };
}

async function open({ client }: Environment): Promise<OverlayKind> {
  const model = await modelOf(client);
  const types = typesOf(model, "catalogItem");
  return opened(writableNames(types, itemFields), model, types);
}

export const itemMetadata: OverlayKind = opened([], undefined, []);
