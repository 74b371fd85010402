import { text } from "../model/json.ts";
import { droppedProperties } from "./checks/dropped-properties.ts";
import type { Environment, OverlayKind } from "./kind.ts";
import { attributeFeed, attributeFields, attributeTypes } from "./shared/attribute-feed.ts";
import type { Metadata } from "./shared/metadata.ts";
import { metadataOf, metadataPatch, metadataShape } from "./shared/metadata.ts";
import { fittingExtra } from "./shared/extra-fit.ts";
import type { Model, TypeDefinition } from "./shared/model.ts";
import { modelOf, writableNames } from "./shared/model.ts";
import { propertiesMayReferTo } from "./shared/extra-properties.ts";
import { modelGaps } from "./shared/model-gaps.ts";

/** Descriptions and extra properties of attributes (document 1, "Catalog item attributes"). */
const metadata: Metadata = {
  over: "attributeUrn",
  fields: ["description", "extraProperties"],
  named: new Set(attributeFields),
};

function opened(
  names: readonly string[],
  model: Model | undefined,
  types: readonly TypeDefinition[],
): OverlayKind {
  const fit = fittingExtra(model, types, "attribute");
  return {
    name: "attribute-metadata",
    selectedAs: "attribute-metadata",
    mode: "overlay",
    urnTypes: [],
    shape: metadataShape(metadata),
    open,
    feed: attributeFeed,
    accept: (attribute) => metadataOf(attribute, metadata),
    one: async (client, urn) => {
      const attribute = await client.catalog.attribute(urn, { extraProperties: names });
      return attribute === undefined ? undefined : metadataOf(attribute, metadata).body;
    },
    modelGaps: async (source, target) =>
      modelGaps(
        source,
        target,
        (await attributeTypes(source)).map(({ name }) => name),
      ),
    refersTo: ["attributes"],
    mayReferTo: propertiesMayReferTo,
    over: { kinds: ["attributes"], urn: (body) => text(body, metadata.over) },
    canBeSilent: true,
    clashes: true,
    ...fit,
    asked: () => (model === undefined ? undefined : new Set(names)),
    checks: [droppedProperties("attribute-metadata", fit.misfits)],
    update: [
      metadataPatch({
        metadata,
        types,
        read: (client, urn) => client.catalog.attribute(urn, { extraProperties: names }),
        send: (client, urn, body) => client.catalog.patchAttribute(urn, body),
      }),
    ],
  };
}

async function open({ client }: Environment): Promise<OverlayKind> {
  const types = await attributeTypes(client);
  return opened(writableNames(types, attributeFields), await modelOf(client), types);
}

export const attributeMetadata: OverlayKind = opened([], undefined, []);
