import { storeColumns } from "../../src/emulator/catalog/query-imports.ts";
import type { Tenant } from "../../src/emulator/index.ts";
import type { Dice } from "./dice.ts";
import { keepsCapitals } from "./forms.ts";
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
    readonly lacks: Lacks;
    /** The target keeps some texts in a form of its own (`forms.ts`). */
    readonly keepsCapitals: true;
  }
>;

/** Of what is in none of its documents (page 04) a service may have nothing, or may not look at it; one side may be of an older make. */
export interface Lacks {
  readonly at: "source" | "target" | "both";
  /** Paths, or a method at one, as the emulator takes them. */
  readonly absent: readonly string[];
  /** A method that is not there is told like an address that nobody knows. */
  readonly isLikeNoAddress?: true;
  /** What `version` asks for of a rule is not looked at: what is published is the answer. */
  readonly showsNoDrafts?: true;
}

const catalog = "/api/catalog/v1";
const quality = "/api/data-quality/v1";
const patchOfRules = `PATCH ${quality}/rules/`;

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

/**
 * In one of ten the service does not offer all that the tool tries: rules cannot be changed there (another one takes their place where the plan
 * says so), or not be deleted, nobody can see what others have in a draft, or who is to name a steward has no way to.
 */
export function withLacks(story: Story, dice: Dice): Story {
  const { kinds = [], policy, openings } = story;
  const hasRules = kinds.includes("rules");
  if (!dice.chance(hasRules ? 0.2 : 0.03) || story.isMirrored === true || story.isOne === true) return story;
  const ofRules = dice.pick([
    [patchOfRules],
    [patchOfRules],
    [patchOfRules],
    [patchOfRules, `DELETE ${quality}/rules/`],
    [`DELETE ${quality}/rules/`],
    [`${quality}/transformations`],
    [],
  ]);
  const others = dice.pick([[`${catalog}/stewardship`], [`${catalog}/attributes/term-assignments/denylist`]]);
  const absent = hasRules ? [...ofRules, ...(dice.chance(0.1) ? others : [])] : others;
  const lacks: Lacks = {
    at: dice.pick(["target", "target", "both", "both", "source"]),
    absent,
    ...(dice.chance(0.2) ? { isLikeNoAddress: true } : {}),
    ...(hasRules && (absent.length === 0 || dice.chance(0.4)) ? { showsNoDrafts: true } : {}),
  };
  const replace = dice.chance(0.5) ? { replace: "allow" as const } : {};
  return { ...story, policy: { ...policy, ...replace }, openings: { ...openings, lacks } };
}

export function opened(
  { lacks, keepsCapitals: keeps, ...openings }: Openings,
  tenants: readonly [source: Tenant, target: Tenant],
): void {
  for (const { quirks } of tenants) Object.assign(quirks, openings);
  if (keeps === true) keepsCapitals(tenants[1]);
  if (lacks === undefined) return;
  for (const [index, { quirks }] of tenants.entries()) {
    if (lacks.at === (index === 0 ? "target" : "source")) continue;
    quirks.absent = [...quirks.absent, ...lacks.absent];
    if (lacks.isLikeNoAddress === true) quirks.absentMethod = 404;
    if (lacks.showsNoDrafts === true) quirks.unknownParameters = "ignored";
  }
}

/** Nobody can see whether a rule has a draft at the target. */
export function hidesDraftsOfRules({ lacks }: Openings = {}): boolean {
  return lacks !== undefined && lacks.at !== "source" && lacks.absent.includes(patchOfRules);
}

/** As a person hears it. */
export function wordsOfLacks({ at, absent, isLikeNoAddress, showsNoDrafts }: Lacks): string {
  const what = [
    ...(absent.length === 0 ? [] : [`does not offer ${absent.join(" and ")}`]),
    ...(isLikeNoAddress === true ? ["tells of that as of an address that nobody knows"] : []),
    ...(showsNoDrafts === true ? ["shows what is published of a rule where its draft is asked for"] : []),
  ].join(", ");
  return at === "both" ? `either side ${what}` : `the ${at} ${what}`;
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
  const { lacks } = openings;
  for (const absent of lacks?.absent ?? []) {
    const rest = lacks?.absent.filter((one) => one !== absent) ?? [];
    if (lacks !== undefined) yield { ...story, openings: { ...openings, lacks: { ...lacks, absent: rest } } };
  }
}
