import type { JsonObject } from "../../model/json.ts";
import { text, textsIn } from "../../model/json.ts";
import type { AttributeTerms, BatchAnswer, WriteClient } from "../../service/index.ts";
import type { Absent, LinkKind, Listed, Step } from "../kind.ts";
import { attributeFeed } from "./attribute-feed.ts";
import { pairAnswers, pointedInData } from "./batch.ts";

interface Relation {
  /** What the step that adds to it is called. */
  readonly step: string;
  /** The terms of an attribute as it is listed that stand in this relation to it. */
  readonly termsOf: (attribute: JsonObject) => readonly string[];
  /** The same, and those that the service has put there itself, where it does. */
  readonly allTermsOf?: (attribute: JsonObject) => readonly string[];
  readonly add: (client: WriteClient, items: readonly AttributeTerms[]) => Promise<BatchAnswer>;
  /** Where no document has the way to add one. */
  readonly ifAbsent?: Absent;
}

/** Terms that stand in some relation to an attribute: `{ attributeUrn, termUrns }`, added and never taken away. */
export function attributeTerms({
  step,
  termsOf,
  allTermsOf,
  add,
  ifAbsent,
}: Relation): Omit<LinkKind, "name" | "selectedAs" | "refersTo"> {
  const accept = (attribute: JsonObject): Listed | undefined => {
    const termUrns = termsOf(attribute);
    const attributeUrn = text(attribute, "urn") ?? "";
    if (termUrns.length === 0) return undefined;
    return { urn: attributeUrn, name: text(attribute, "name") ?? "", body: { attributeUrn, termUrns } };
  };
  const addition: Step = {
    name: step,
    effect: "changes",
    atMost: 100,
    atomic: false,
    settle: "by-reading",
    ...(ifAbsent === undefined ? {} : { ifAbsent }),
    async send(client, items) {
      const sent = items.map((item) => ({
        id: item.source,
        attributeUrn: item.target ?? "",
        termUrns: textsIn(item.body, "termUrns"),
      }));
      return pairAnswers(items, await add(client, sent));
    },
    blame: pointedInData,
    async readBack(client, item) {
      const attribute = await client.catalog.attribute(item.target ?? "");
      return attribute === undefined
        ? undefined
        : (accept(attribute)?.body ?? { attributeUrn: item.target ?? "", termUrns: [] });
    },
  };
  return {
    mode: "link",
    urnTypes: [],
    shape: { known: ["attributeUrn", "termUrns"], serverOwned: [], fixed: ["attributeUrn"] },
    feed: attributeFeed,
    accept,
    over: { kinds: ["attributes"], urn: (body) => text(body, "attributeUrn") },
    missing(tree, target) {
      const present = new Set(textsIn(target, "termUrns"));
      const termUrns = textsIn(tree, "termUrns").filter((urn) => !present.has(urn));
      return termUrns.length === 0 ? undefined : { termUrns };
    },
    ...(allTermsOf === undefined
      ? {}
      : {
          async hasOtherwise(client, target, body) {
            const there = new Set(allTermsOf((await client.catalog.attribute(target)) ?? {}));
            return textsIn(body, "termUrns").every((urn) => there.has(urn));
          },
        }),
    update: [addition],
  };
}
