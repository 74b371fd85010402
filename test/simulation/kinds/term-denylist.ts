import { isArray } from "../../../src/emulator/json.ts";
import { denyTerm } from "../../../src/emulator/catalog/assignments.ts";
import type { Urn } from "../../../src/model/urn.ts";
import type { SimulatedKind } from "./kind.ts";
import { columnsIn, itself } from "./shared.ts";

interface DenialPlan {
  readonly place: number;
  readonly term: number;
}

/** Terms that detection must not assign to an attribute. */
export const termDenylist: SimulatedKind<DenialPlan> = {
  name: "term-denylist",
  isOver: true,
  isList: true,
  draw: (dice) =>
    Array.from({ length: 1 + dice.below(3) }, () => ({ place: dice.below(12), term: dice.below(8) })),
  seed(tenant, given, plans) {
    const [attributes, terms] = [columnsIn(given, tenant), [...tenant.terms.values()]];
    for (const { place, term } of plans) {
      const found = terms[term % Math.max(1, terms.length)];
      if (found?.published !== undefined)
        denyTerm(tenant, attributes[place % attributes.length] ?? "", found.urn);
    }
  },
  shelves: (tenant) => [{ rows: tenant.attributes, of: itself }],
  urns: (tenant) =>
    [...tenant.attributes.values()]
      .filter(({ termDetectionDenylist }) => termDetectionDenylist.length > 0)
      .map(({ urn }) => urn),
  body(tenant, urn) {
    const denied = tenant.attributes.get(urn)?.termDetectionDenylist;
    return denied === undefined ? undefined : { termDetectionDenylist: [...denied] };
  },
  label: (_tenant, _body, urn) => `denials of ${urn.slice(-36, -28)}`,
  hows: ["more", "more", "less"],
  put(tenant, urn, { termDetectionDenylist }) {
    const attribute = tenant.attributes.get(urn);
    if (attribute === undefined || !isArray(termDetectionDenylist)) return;
    tenant.attributes.put({ ...attribute, termDetectionDenylist: termDetectionDenylist as unknown as Urn[] });
  },
  change(tenant, { termDetectionDenylist }, value) {
    const denied = isArray(termDetectionDenylist) ? termDetectionDenylist : [];
    const terms = [...tenant.terms.values()].filter(({ published }) => published !== undefined);
    const term = terms[value % Math.max(1, terms.length)];
    const more = term === undefined ? [] : [term.urn];
    return { termDetectionDenylist: [...new Set([...denied, ...more])] };
  },
  places: columnsIn,
  writes: ["POST /api/catalog/v1/attributes/denylist/batch/add"],
};
