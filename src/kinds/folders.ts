import type { JsonObject } from "../model/json.ts";
import { text } from "../model/json.ts";
import type { Shape } from "../model/shape.ts";
import type { ReadClient } from "../service/index.ts";
import { droppedProperties } from "./checks/dropped-properties.ts";
import type { EntityKind, Environment, Step } from "./kind.ts";
import { about } from "./shared/batch.ts";
import { all, itemsOf, listed } from "./shared/found.ts";
import { fitting, together } from "./shared/extra-fit.ts";
import { extraProperties } from "./shared/extra-properties.ts";
import { extraMisfits } from "./shared/misfits.ts";
import { modelSoFar, ofModel, typesOf } from "./shared/model.ts";
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

function patch(readFolder: (client: ReadClient, urn: string) => Promise<JsonObject | undefined>): Step {
  return single({
    name: "patch",
    effect: "changes",
    settle: "by-reading",
    send: async (client, item) => {
      const body = await client.catalog.patchFolder(item.target ?? "", item.body);
      return { state: "done", target: about(body, item) };
    },
    readBack: (client, item) => readFolder(client, item.target ?? ""),
  });
}

const remove = deletion(async (client, item) => client.catalog.deleteFolder(item.target ?? ""));

const folderType = ofModel((model) => together(typesOf(model, "folder")));

/** `own` is the environment that it was opened for. */
function opened(own?: ReadClient): EntityKind {
  const extra = extraProperties("folder", shape.known, own);
  const fit = fitting(
    () => modelSoFar(own),
    (body, place) => extraMisfits(body, folderType(place.model), place),
  );
  const readFolder = async (client: ReadClient, urn: string): Promise<JsonObject | undefined> =>
    client.catalog.folder(urn, { extraProperties: await extra.names(client) });
  return {
    ...unopened,
    open: async ({ client }: Environment) => opened(client),
    feed: {
      name: "folders",
      async *pages(client) {
        yield* itemsOf(client.catalog.folders({ extraProperties: await extra.listed(client) }));
      },
    },
    one: readFolder,
    ...fit,
    checks: [droppedProperties("folders", fit.misfits)],
    update: [patch(readFolder)],
  };
}

const unopened: Omit<EntityKind, "feed" | "update"> = {
  name: "folders",
  selectedAs: "folders",
  mode: "entity",
  urnTypes: ["catalog:folder"],
  modelType: "folder",
  shape,
  accept: listed,
  modelGaps: async (source, target) => modelGaps(source, target, ["folder"]),
  refersTo: ["sources", "folders"],
  othersReferring: {
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
  naturalKey: (body) => [text(body, "parentUrn") ?? "", text(body, "name") ?? ""],
  create: [create],
  remove,
};

export const folders: EntityKind = opened();
