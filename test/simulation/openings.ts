import { storeColumns } from "../../src/emulator/catalog/query-imports.ts";
import type { Tenant } from "../../src/emulator/index.ts";
import type { Dice } from "./dice.ts";
import type { Story } from "./story.ts";

/**
 * How the service does what its documents leave open ("not shown"): both sides are of one make, and what is not named here is as the
 * emulator has it by itself.
 */
export type Openings = Partial<
  Pick<
    Tenant["quirks"],
    | "absentDraft"
    | "unset"
    | "modelProperties"
    | "rolledBack"
    | "publishing"
    | "emptyReview"
    | "emptyChange"
    | "decidedReview"
    | "tableFields"
    | "draftFilter"
    | "startsEvaluations"
    | "skipsEmptyRuns"
    | "absent"
    | "allQueries"
    | "stewardAccessLevels"
  > & {
    /** When the attributes of an SQL item that is made from then on show. */
    readonly queryAttributes: "at-once" | "never" | { readonly afterReads: number };
  }
>;

const catalog = "/api/catalog/v1";

/** In two of five histories, of each some. */
export function withOpenings(story: Story, dice: Dice): Story {
  if (!dice.chance(0.4) || story.isMirrored === true) return story;
  const now = <T>(value: T): T | undefined => (dice.chance(0.4) ? value : undefined);
  const all = {
    absentDraft: now("published" as const),
    unset: now("absent" as const),
    modelProperties: now("own" as const),
    rolledBack: now("NOT_PROCESSED"),
    publishing: now(dice.pick(["at-once", { afterReads: 3 }, { afterMilliseconds: 20_000 }] as const)),
    emptyReview: now("refused" as const),
    emptyChange: now(dice.pick(["refused", "silent"] as const)),
    decidedReview: now("404" as const),
    tableFields: now("bare" as const),
    draftFilter: now("whole" as const),
    startsEvaluations: now(false as const),
    skipsEmptyRuns: now(true as const),
    absent: now(dice.pick([[`${catalog}/stewardship`], [`${catalog}/attributes/term-assignments/denylist`]])),
    allQueries: now(dice.pick(["empty", "refused", "roots", "folders"] as const)),
    queryAttributes: now(dice.pick([{ afterReads: 2 }, { afterReads: 6 }] as const)),
    stewardAccessLevels: now([]),
  };
  const late = { ...all, queryAttributes: dice.chance(0.1) ? ("never" as const) : all.queryAttributes };
  const openings = Object.fromEntries(Object.entries(late).filter(([, value]) => value !== undefined));
  return Object.keys(openings).length === 0 ? story : { ...story, openings };
}

export function opened(openings: Openings, tenants: readonly Tenant[]): void {
  for (const { quirks } of tenants) Object.assign(quirks, openings);
}

/** What runs comes to its end, and what is begun from now on does so soon. */
export function calmed(tenants: readonly Tenant[]): void {
  for (const tenant of tenants) {
    tenant.referenceData.settle();
    tenant.quirks.publishing = { afterReads: 1 };
    tenant.quirks.queryAttributes = "at-once";
    tenant.quirks.stewardAccessLevels = ["viewMetadata"];
    for (const [urn, { columns }] of tenant.queryImports) storeColumns(tenant, urn, columns);
  }
}

/** With one less. */
export function* fewerOpenings({ openings, ...story }: Story): Generator<Story> {
  if (openings === undefined) return;
  yield story;
  for (const name of Object.keys(openings)) {
    const rest = Object.fromEntries(Object.entries(openings).filter(([other]) => other !== name));
    if (Object.keys(rest).length > 0) yield { ...story, openings: rest };
  }
}
