import { z } from "zod";
import type { JsonObject } from "../model/json.ts";
import { child, own, text } from "../model/json.ts";
import type { Shape } from "../model/shape.ts";
import { strip } from "../model/shape.ts";
import type { PlanSection } from "../plan/section.ts";
import { PlanError } from "../plan/plan-error.ts";
import type { PlanProblem } from "../plan/plan-error.ts";
import type { ReadClient } from "../service/index.ts";
import { belowMoved } from "./checks/below-moved.ts";
import { droppedProperties } from "./checks/dropped-properties.ts";
import type { ByHand, EntityKind, Environment, Listed, Step, StepAnswer } from "./kind.ts";
import { ofTheAsked, pairAnswers, pointedInData, withId, withUrn } from "./shared/batch.ts";
import { itemsOf } from "./shared/found.ts";
import { fitting } from "./shared/extra-fit.ts";
import { misfitsOf } from "./shared/misfits.ts";
import type { Model, TypeDefinition } from "./shared/model.ts";
import { cleared, modelNow, modelOf, typesOf, typesToList, writableNames } from "./shared/model.ts";
import { propertiesMayReferTo } from "./shared/extra-properties.ts";
import {
  asKnownBefore,
  notClear,
  onlyRoom,
  parentProperty,
  whereItStands,
} from "./shared/parent-property.ts";
import { usersByProperty } from "./shared/users-by-property.ts";
import { modelAndPlaceGaps } from "./shared/model-gaps.ts";

declare module "../model/plan.ts" {
  interface Selection {
    /** Types of generic entities, as the metadata model names them. */
    readonly entityTypes: readonly string[];
  }
  interface Pairing {
    /** `parentType/type` to the property of the parent that holds it, where the model leaves several. */
    readonly parentProperties: Readonly<Record<string, string>>;
  }
  interface Policy {
    /** A property that the target's model lacks, or has otherwise. */
    readonly missingProperty: "block" | "drop";
  }
}

const settings = {
  select: {
    entityTypes: {
      schema: z
        .array(z.string().min(1))
        .default([])
        .describe("Which types of entities, as the metadata model names them."),
      after: "kinds",
    },
  },
  pairing: {
    parentProperties: {
      schema: z
        .record(z.string(), z.string())
        .default({})
        .describe(
          'In which property of its parent an entity stands, where the metadata model leaves several: "parentType/type" to the property.',
        ),
    },
  },
  policy: {
    missingProperty: {
      schema: z
        .enum(["block", "drop"])
        .default("block")
        .describe(
          "The target's metadata model has no place for a value: the object is blocked, or the value is left out.",
        ),
    },
  },
  check: ({ select }) =>
    select.kinds.includes("entities") && select.entityTypes.length === 0
      ? [
          {
            path: "select.entityTypes",
            summary: "entities are selected, and no type of them is named",
            suggestion: "Name the types as the metadata model does: entityTypes: [dataProduct]",
          },
        ]
      : [],
} satisfies PlanSection;

/** Entities of any type that the metadata model defines (document 1, "Generic metadata entities"). */
const shape: Shape = {
  known: ["urn", "parentUrn", "parentProperty", "concreteType", "properties"],
  serverOwned: ["/urn"],
  fixed: ["concreteType", "parentUrn", "parentProperty"],
  memberwise: ["properties"],
  deferrable: ["properties"],
};

interface World {
  readonly model: Model;
  /** It stands for no environment: no model was read. */
  readonly isUnread?: true;
  readonly types: readonly string[];
  readonly parentProperties: Readonly<Record<string, string>>;
}

async function* pages(client: ReadClient, world: World): AsyncGenerator<readonly JsonObject[]> {
  const seen = new Set<string>();
  const typeOf = new Map<string, string>();
  for (const [entityType, line] of typesToList(world.model, world.types)) {
    const properties = writableNames(line);
    for await (const page of itemsOf(client.catalog.entities({ entityType, properties }))) {
      const fresh = page.filter((entity) => !seen.has(text(entity, "urn") ?? ""));
      for (const entity of fresh) {
        seen.add(text(entity, "urn") ?? "");
        typeOf.set(text(entity, "urn") ?? "", text(entity, "concreteType") ?? "");
      }
      yield await Promise.all(fresh.map(async (entity) => withParent(client, entity, world, typeOf)));
    }
  }
}

/** The property of the parent is not in the envelope: the model tells it, by the parent's type. */
async function withParent(
  client: ReadClient,
  entity: JsonObject,
  { model, parentProperties: said }: World,
  typeOf: Map<string, string>,
): Promise<JsonObject> {
  const { rootSuperType: _root, effectiveStewardship: _steward, ...body } = entity;
  const parentUrn = text(entity, "parentUrn");
  const type = model.get(text(entity, "concreteType") ?? "");
  if (type === undefined) return body;
  let parentType = "";
  if (parentUrn !== undefined) {
    parentType =
      typeOf.get(parentUrn) ?? text((await client.catalog.entity(parentUrn)) ?? {}, "concreteType") ?? "";
    typeOf.set(parentUrn, parentType);
  }
  return { ...body, parentProperty: parentProperty(model, type, parentType, said) };
}

function called(body: JsonObject): string {
  const properties = child(body, "properties") ?? {};
  return text(properties, "name") ?? text(properties, "displayName") ?? "";
}

function withoutName(body: JsonObject): JsonObject {
  const { name, displayName, ...rest } = child(body, "properties") ?? {};
  const other = name === undefined || displayName === undefined ? {} : { displayName };
  return { ...body, properties: { ...rest, ...other } };
}

function accept(body: JsonObject): Listed {
  const name = called(body);
  return {
    urn: text(body, "urn") ?? "",
    name: name === "" ? (text(body, "concreteType") ?? "") : name,
    body,
  };
}

async function readOne(client: ReadClient, urn: string, world: World): Promise<JsonObject | undefined> {
  const bare = await client.catalog.entity(urn);
  if (bare === undefined) return undefined;
  const properties = writableNames(typesOf(world.model, text(bare, "concreteType") ?? ""));
  const entity = await client.catalog.entity(urn, { properties });
  return entity === undefined ? undefined : withParent(client, entity, world, new Map());
}

function create(): Step {
  return {
    name: "create",
    effect: "creates",
    atMost: 100,
    atomic: true,
    settle: "by-listing",
    async send(client, items) {
      const answer = await client.catalog.createEntities(
        items.map((item) => ({ properties: {}, ...withId(item) })),
      );
      return pairAnswers(items, answer).map(withUrn);
    },
    blame: pointedInData,
  };
}

function patch(world: World): Step {
  return {
    name: "patch",
    effect: "changes",
    atMost: 100,
    atomic: true,
    settle: "by-reading",
    async send(client, items) {
      const answer = await client.catalog.patchEntities(
        items.map((item) => {
          const types = typesOf(world.model, text(item.whole, "concreteType") ?? "");
          const properties = cleared(child(item.body, "properties") ?? {}, types);
          return { ...item.body, id: item.source, urn: item.target ?? "", properties };
        }),
      );
      // It holds the properties that were asked for, which are none.
      return ofTheAsked(items, pairAnswers(items, answer));
    },
    readBack: (client, item) => readOne(client, item.target ?? "", world),
    blame: pointedInData,
  };
}

const remove: Step = {
  name: "delete",
  effect: "removes",
  atMost: 100,
  atomic: false,
  settle: "repeat",
  blame: pointedInData,
  async send(client, items) {
    const answer = await client.catalog.deleteEntities(
      items.map((item) => ({ id: item.source, urn: item.target ?? "" })),
    );
    const answers = pairAnswers(items, answer);
    const isNotFound = ({ state, reason }: { state: string; reason?: string }): boolean =>
      state === "refused" && reason?.startsWith("RESOURCE_NOT_FOUND") === true;
    if (!answers.some(isNotFound)) return answers;
    // Of a type that somebody has just taken out of the metadata model no request finds anything, and it comes back with it.
    const model = await modelNow(client);
    const looked = answers.map(async (answered, index): Promise<StepAnswer> => {
      if (!isNotFound(answered)) return answered;
      const type = text(items[index]?.whole ?? {}, "concreteType") ?? "";
      if (type !== "" && !model.has(type))
        return {
          state: "refused",
          reason: `whether it is there cannot be told: the metadata model has no type ${type} any more`,
        };
      // It was there a moment ago: that it is not is believed when reading says so as well.
      return (await client.catalog.entity(items[index]?.target ?? "")) === undefined
        ? { state: "done" }
        : { state: "refused", reason: "it does not exist, says the answer, and it is there when it is read" };
    });
    return Promise.all(looked);
  },
};

function opened(world: World): EntityKind {
  const { parentProperties } = world;
  const fit = fitting(
    () => world.model,
    (body, place) => misfitsOf(body, { ...place, parentProperties }),
  );
  return {
    name: "entities",
    selectedAs: "entities",
    mode: "entity",
    urnTypes: [],
    ownsOthers: true,
    isListable: ({ select }) => select.entityTypes.length > 0,
    settings,
    open,
    feed: { name: "entities", pages: (client) => pages(client, world) },
    alsoOf: (bodies) => alsoOf(bodies, world),
    remembers: ["concreteType"],
    accept,
    typeOf: (body) => text(body, "concreteType"),
    one: (client, urn) => readOne(client, urn, world),
    // What stands in a tree is told apart level by level, and anything may be referred to.
    refersTo: ["terms", "folders", "sql-items", "entities"],
    mayReferTo: propertiesMayReferTo,
    byHand,
    misfits: fit.misfits,
    adapt: (tree, policy, target, types) => whereItStands(fit.adapt(tree, policy, target, types), target),
    asKnownBefore: (body, typeOf) => asKnownBefore(body, typeOf, world),
    asked: () =>
      world.isUnread === true
        ? undefined
        : new Set(typesToList(world.model, world.types).flatMap(([, line]) => writableNames(line))),
    checks: [droppedProperties("entities", fit.misfits), belowMoved],
    modelGaps: async (source, target, plan) => modelAndPlaceGaps(source, target, plan.select.entityTypes),
    othersReferring: [
      usersByProperty({ hasChildren: true, ...(world.types.length === 0 ? {} : { types: linesOf(world) }) }),
    ],
    room: (body, typeOf) => onlyRoom(body, typeOf, world),
    withoutName,
    mayBeNameless: true,
    ...withShape(shape),
    withShape,
    create: [create()],
    update: [patch(world)],
    remove,
  };
}

/** What is of a type that the model does not name (any more) no list shows. */
function alsoOf(bodies: readonly JsonObject[], world: World): EntityKind | undefined {
  const types = [...new Set([...world.types, ...bodies.map((body) => text(body, "concreteType") ?? "")])];
  return types.every((type) => world.model.has(type)) ? opened({ ...world, types }) : undefined;
}

/** What has no name is known by all that it says, but for what is the service's. */
function withShape(own: Shape): Pick<EntityKind, "shape" | "naturalKey"> {
  return {
    shape: own,
    naturalKey(body) {
      const name = called(body);
      const key = name === "" ? (child(strip(body, own), "properties") ?? {}) : name;
      return [text(body, "parentUrn") ?? "", text(body, "concreteType") ?? "", key];
    },
  };
}

function linesOf({ model, types }: World): readonly string[] {
  return [...new Set(types.flatMap((type) => typesOf(model, type).map(({ name }) => name)))];
}

/** Throws a PlanError for a type that cannot be moved: before anything is listed. */
async function open({ client, side, plan }: Environment): Promise<EntityKind> {
  const model = await modelOf(client);
  const { entityTypes } = plan.select;
  if (side === "source") checkTypes(entityTypes, model, plan.name);
  const types = entityTypes.filter((name) => typesOf(model, name).length > 0);
  return opened({ model, types, parentProperties: plan.pairing.parentProperties });
}

/** Types that are kinds of their own, with an interface of their own. */
const elsewhere: Readonly<Record<string, string>> = {
  term: "terms",
  folder: "folders",
  dslQuery: "sql-items",
  catalogItem: "sql-items",
};

function checkTypes(names: readonly string[], model: Model, plan: string): void {
  const problems = names.flatMap((name, index) => {
    const path = `select.entityTypes[${index}]`;
    const type = model.get(name);
    const told = (summary: string, suggestion: string): readonly PlanProblem[] => [
      { path, summary: `"${path}": ${summary}`, suggestion },
    ];
    if (type === undefined) return told("the source's metadata model has no such type", known(model));
    const other =
      elsewhere[name] ?? type.supers.map((one) => elsewhere[one]).find((one) => one !== undefined);
    if (other !== undefined)
      return told(`things of this type are moved as ${other}`, `Add ${other} to select.kinds.`);
    if (!typesOf(model, name).some(({ editable }) => editable))
      return told("the service makes things of this type itself: they cannot be written", known(model));
    return [];
  });
  if (problems.length > 0) throw new PlanError(plan, problems);
}

function known(model: Model): string {
  const names = [...model.values()]
    .filter(isMovable)
    .map(({ name }) => name)
    .sort();
  const more = names.length > 20 ? `, and ${names.length - 20} more` : "";
  return `Types that can be moved: ${names.slice(0, 20).join(", ")}${more}.`;
}

function isMovable({ name, editable, supers }: TypeDefinition): boolean {
  return editable && [name, ...supers].every((one) => own(elsewhere, one) === undefined);
}

export const entities: EntityKind = opened({
  model: new Map(),
  isUnread: true,
  types: [],
  parentProperties: {},
});

/** One for all environments: what was seen of an object holds wherever its kind was opened. */
function byHand(body: JsonObject): ByHand | undefined {
  return notClear(text(body, "parentProperty") ?? "");
}
