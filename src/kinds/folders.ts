import type { JsonObject } from "../model/json.ts";
import { text } from "../model/json.ts";
import type { Shape } from "../model/shape.ts";
import type { ReadClient } from "../service/index.ts";
import { belowMoved } from "./checks/below-moved.ts";
import { droppedProperties } from "./checks/dropped-properties.ts";
import type { EntityKind, Environment, Misfit } from "./kind.ts";
import { about } from "./shared/batch.ts";
import { all, itemsOf, listed } from "./shared/found.ts";
import { fitting, together } from "./shared/extra-fit.ts";
import { extraProperties, propertiesMayReferTo } from "./shared/extra-properties.ts";
import type { Place } from "./shared/misfits.ts";
import { extraMisfits } from "./shared/misfits.ts";
import { listingWith, modelSoFar, ofModel, typesOf } from "./shared/model.ts";
import { usersByProperty } from "./shared/users-by-property.ts";
import { deletion, single } from "./shared/single.ts";
import { modelGaps } from "./shared/model-gaps.ts";

/** Folders of a source's workspace, to any depth (document 1, "Folder" and "Folders"). */
const shape: Shape = {
  known: ["urn", "name", "description", "parentUrn", "extraProperties"],
  serverOwned: ["/urn"],
  // "The parent of a folder cannot be changed."
  fixed: ["parentUrn"],
  memberwise: ["extraProperties"],
  deferrable: ["extraProperties", "description"],
};

/** An answer without a URN is unreadable: the client counts it as lost. */
const create = single({
  name: "create",
  effect: "creates",
  settle: "by-listing",
  send: async (client, item) => {
    const body = await client.catalog.createFolder(item.body);
    const target = text(body, "urn");
    return target === undefined || text(body, "name") !== text(item.body, "name")
      ? { state: "unknown", reason: "the answer names another folder" }
      : { state: "done", target };
  },
});

const extra = extraProperties("folder", shape.known);

async function readFolder(client: ReadClient, urn: string): Promise<JsonObject | undefined> {
  return client.catalog.folder(urn, { extraProperties: await extra.names(client) });
}

const patch = single({
  name: "patch",
  effect: "changes",
  settle: "by-reading",
  send: async (client, item) => {
    const body = await client.catalog.patchFolder(item.target ?? "", item.body);
    return { state: "done", target: about(body, item) };
  },
  readBack: (client, item) => readFolder(client, item.target ?? ""),
});

const remove = deletion(async (client, item) => client.catalog.deleteFolder(item.target ?? ""));

const folderType = ofModel((model) => together(typesOf(model, "folder")));

function misfitsIn(body: JsonObject, place: Place): readonly Misfit[] {
  return extraMisfits(body, folderType(place.model) ?? "folder", place);
}

export const folders: EntityKind = {
  name: "folders",
  selectedAs: "folders",
  mode: "entity",
  urnTypes: ["catalog:folder"],
  modelType: "folder",
  shape,
  /** Nothing that is listed waits for the model but what has extra properties. */
  async open({ client }: Environment): Promise<EntityKind> {
    const fit = fitting(() => modelSoFar(client), misfitsIn);
    const feed = listingWith(client, this.feed);
    const asked = (): ReadonlySet<string> | undefined => extra.known(client);
    return { ...this, ...fit, feed, asked, checks: [droppedProperties("folders", fit.misfits), belowMoved] };
  },
  feed: {
    name: "folders",
    async *pages(client) {
      yield* itemsOf(client.catalog.folders({ extraProperties: await extra.listed(client) }));
    },
  },
  accept: listed,
  one: readFolder,
  modelGaps: async (source, target) => modelGaps(source, target, ["folder"]),
  refersTo: ["sources", "folders"],
  mayReferTo: propertiesMayReferTo,
  othersReferring: [
    {
      what: "catalog items",
      // What is in a folder is told by the parent alone, and a folder that is not empty is never deleted.
      async find(client, urns) {
        const reads = urns.map(async (folder) =>
          (await all(client.catalog.catalogItems({ parentUrn: folder }))).map((item) => ({
            what: "catalog item",
            urn: text(item, "urn") ?? "",
            name: text(item, "name") ?? "",
            refersTo: [folder],
          })),
        );
        return (await Promise.all(reads)).flat();
      },
    },
    usersByProperty({ types: ["folder"], hasChildren: true, but: ["folder", "catalogItem"] }),
  ],
  naturalKey: (body) => [text(body, "parentUrn") ?? "", text(body, "name") ?? ""],
  create: [create],
  update: [patch],
  remove,
};
