import { child, text } from "../../model/json.ts";
import type { Pairing } from "../../model/plan.ts";
import type { PlanSection } from "../../plan/section.ts";
import type { ReadClient } from "../../service/index.ts";
import type { Found, GivenKind, NotKnown } from "../kind.ts";
import { each, listOrNotKnown } from "./not-known.ts";
import { wholeList } from "./whole-list.ts";

/**
 * Things that have no list of their own in the documents but a type in the metadata model: read through the generic
 * entity interface, paired by name. An environment whose model lacks the type answers 400 or 404, and so may one that
 * has it: what there is of them is not known then, and what refers to them says so.
 */
export function namedEntities(options: {
  readonly name: string;
  readonly entityType: string;
  readonly urnTypes: readonly string[];
  /** The section of the plan that pairs them. */
  readonly under?: "sources" | "connections";
  readonly settings?: PlanSection;
  readonly madeInPlace?: true;
  readonly advice: string;
}): GivenKind {
  const list = async (client: ReadClient): Promise<readonly Found[] | NotKnown> => {
    const { entityType } = options;
    const entities = client.catalog.entities({ entityType, properties: ["name"] });
    return each(await listOrNotKnown(entities, "documented"), (body) => ({
      urn: text(body, "urn") ?? "",
      name: text(child(body, "properties") ?? {}, "name") ?? "",
      body,
    }));
  };
  const pairsOf = (pairing: Pairing): Readonly<Record<string, string>> =>
    options.under === undefined ? {} : pairing[options.under];
  const named = (name: string, pairing: Pairing): string => {
    const pairs = pairsOf(pairing);
    return Object.hasOwn(pairs, name) ? (pairs[name] ?? name) : name;
  };
  /** One that the plan gives to somebody is nobody else's by its name, whether that one is looked for or not. */
  const isOthers = (name: string, pairing: Pairing): boolean => {
    const pairs = pairsOf(pairing);
    return !Object.hasOwn(pairs, name) && Object.values(pairs).includes(name);
  };
  return {
    name: options.name,
    selectedAs: options.name,
    mode: "given",
    urnTypes: options.urnTypes,
    modelType: options.entityType,
    after: [],
    ...wholeList(list, (found, urns) => found.filter((record) => urns.has(record.urn))),
    sourceKeys: ({ name }, { pairing }) => (isOthers(name, pairing) ? [] : [named(name, pairing)]),
    targetKeys: (record) => [record.name],
    traits: (record, { pairing }) => [
      { label: "name", value: record.name, fits: [named(record.name, pairing)] },
    ],
    ...(options.under === undefined
      ? {}
      : {
          pairedUnder: options.under,
          withoutKey: `the plan gives the one of that name there to another, under pairing.${options.under}`,
        }),
    ...(options.settings === undefined ? {} : { settings: options.settings }),
    ...(options.madeInPlace === undefined ? {} : { madeInPlace: options.madeInPlace }),
    advice: options.advice,
  };
}
