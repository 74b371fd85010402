import type { Found, GivenKind, Trait, TraitWords } from "../../kinds/kind.ts";
import { mostAlike } from "../../model/alike.ts";
import type { Cause } from "../../model/diagnostic.ts";
import type { GuessedRename } from "../../model/plan-lines.ts";
import { guessRename, pairLine, renameLine } from "../../model/plan-lines.ts";
import { shellWord } from "../../model/shell-word.ts";
import { wrongRule } from "./wrong-rule.ts";
import type { Unlisted } from "./unlisted.ts";
import { suggestionFor } from "./unlisted.ts";

/** Why a given thing of the source has no twin. */
export interface Unpaired {
  readonly kind: string;
  readonly name: string;
  /** What the plan calls it, where that is not its name. */
  readonly word?: string;
  readonly reason: string;
  readonly suggestion: string;
  /** All that fit, when there are several. */
  readonly candidates: readonly { readonly urn: string; readonly name: string }[];
  readonly mayDrop: boolean;
  /** What the plan calls what comes closest at the target, though it does not fit. */
  readonly nearest?: string;
  /** It may have a twin: the list of them was refused. */
  readonly notKnown?: true;
  readonly cause: Cause;
}

/** How looking for a twin ended without one. */
export type Unmatched =
  | { readonly why: "no-key" | "nothing" }
  /** A person's word, and the target has it no more. */
  | { readonly why: "gone"; readonly there: string }
  | { readonly why: "not-known"; readonly missing: Unlisted }
  | { readonly why: "several-there" | "several-here"; readonly candidates: readonly Found[] }
  /** What would be its twin is that of another one, by a person's word or by what the mapping knows. */
  | { readonly why: "taken"; readonly there: string; readonly by: Found };

type Explained = Omit<Unpaired, "mayDrop">;

/** Names that are looked through for one that is alike; a longer list tells a person nothing either. */
const mostCompared = 2_000;

/**
 * Says of things without a twin what was looked for, what comes near it and in what that differs, and the line of
 * the plan that would pair them (README, promise 3: nothing is dropped silently).
 */
export class Explainer {
  readonly #kind: GivenKind;
  readonly #candidates: readonly Found[];
  readonly #isTaken: (there: string) => boolean;
  readonly #words: TraitWords;
  readonly #unpaired: ReadonlyMap<string, Unpaired>;
  #byName: ReadonlyMap<string, readonly Found[]> | undefined;
  #byHolder: ReadonlyMap<string, readonly Found[]> | undefined;

  constructor(options: {
    readonly kind: GivenKind;
    /** All that the target was asked for. */
    readonly candidates: readonly Found[];
    /** Whether it is the twin of something else: a person who took it for this one would take it from that. */
    readonly isTaken: (there: string) => boolean;
    readonly words: TraitWords;
    /** What is known to have no twin so far: things of kinds that come first. */
    readonly unpaired: ReadonlyMap<string, Unpaired>;
  }) {
    this.#kind = options.kind;
    this.#candidates = options.candidates;
    this.#isTaken = options.isTaken;
    this.#words = options.words;
    this.#unpaired = options.unpaired;
  }

  explain(record: Found, found: Unmatched): Explained {
    switch (found.why) {
      case "no-key":
        return this.#withoutKey(record);
      case "nothing":
        return this.#nothing(record);
      case "gone":
        return this.#gone(record, found.there);
      case "not-known":
        return this.#notKnown(record, found.missing);
      case "several-there":
        return this.#several(
          record,
          `${found.candidates.length} things at the target fit it`,
          found.candidates,
        );
      case "several-here":
        return this.#several(
          record,
          "several things at the source fit the same one at the target",
          found.candidates,
        );
      case "taken":
        return this.#taken(record, found);
    }
  }

  #notKnown(record: Found, missing: Unlisted): Explained {
    const reason = `whether it has a twin is not known: ${missing.reason}`;
    const suggestion = suggestionFor(missing, record.urn);
    return { ...this.#explained(record, reason, suggestion, missing.cause), notKnown: true };
  }

  #withoutKey(record: Found): Explained {
    const holder = this.#unpaired.get(this.#kind.partOf?.(record) ?? "");
    if (holder !== undefined) {
      const reason = `its ${noun(holder.kind)} "${holder.name}" has no twin at the target`;
      return this.#explained(record, reason, holder.suggestion, holder.cause);
    }
    const reason = this.#kind.withoutKey ?? "what it belongs to has no twin at the target";
    return this.#explained(record, reason, this.#pairHint(record, undefined) ?? this.#advice(record));
  }

  #several(record: Found, reason: string, candidates: readonly Found[]): Explained {
    const suggestion = `Say which one it is: ${asCode(`ferry mappings PLAN set ${shellWord(record.urn)} <target urn>`)}`;
    return { ...this.#explained(record, reason, suggestion), candidates: candidates.slice(0, 10) };
  }

  #gone(record: Found, there: string): Explained {
    const reason = `its twin by the mapping, ${there}, is not at the target any more`;
    const suggestion = `Take that pair away: ${asCode(`ferry mappings PLAN remove ${shellWord(record.urn)}`)}; then it is looked for by what it is, or say which one it is: ${asCode(`ferry mappings PLAN set ${shellWord(record.urn)} <target urn>`)}`;
    return this.#explained(record, reason, suggestion);
  }

  #taken(record: Found, { there, by }: Extract<Unmatched, { why: "taken" }>): Explained {
    const found = this.#candidates.find(({ urn }) => urn === there);
    const twin = found === undefined ? there : `"${found.name}" (${there})`;
    const reason = `its twin would be ${twin}, which the mapping has as the twin of "${by.name}" (${by.urn})`;
    const suggestion = `Take away the pair that is wrong: ${asCode(`ferry mappings PLAN remove ${shellWord(by.urn)}`)}; or say which one it is: ${asCode(`ferry mappings PLAN set ${shellWord(record.urn)} <target urn>`)}`;
    return this.#explained(record, reason, suggestion);
  }

  #nothing(record: Found): Explained {
    const sought = this.#sought(record);
    const near = this.#nearest(record, sought);
    const there = near === undefined ? [] : this.#traitsThere(near);
    const differing = sought.flatMap((trait): readonly Difference[] => {
      const value = there.find(({ label }) => label === trait.label)?.value;
      return value === undefined || accepts(trait, value) ? [] : [{ trait, value }];
    });
    const search = `looked for ${lookedFor(sought)}; ${this.#nearText(near, differing)}`;
    const hint = this.#pairHint(record, near) ?? this.#planHint(differing);
    const set =
      near === undefined
        ? undefined
        : asCode(`ferry mappings PLAN set ${shellWord(record.urn)} ${shellWord(near.urn)}`);
    const suggestion =
      hint ??
      (set === undefined
        ? this.#advice(record)
        : `If that is the one, run ${set}. If not: ${lowered(this.#advice(record))}`);
    const cause = this.#sharedCause(record, sought, differing);
    return {
      ...this.#explained(
        record,
        `nothing at the target fits it: ${search}`,
        suggestion,
        cause && { ...cause, detail: `for example "${record.name}": ${search}`, suggestion },
      ),
      ...(near === undefined ? {} : { nearest: this.#word(near) }),
    };
  }

  #explained(record: Found, reason: string, suggestion: string, cause?: Cause): Explained {
    const { name } = this.#kind;
    const summary = `${noun(name)} "${record.name}" has no twin at the target`;
    const detail = `${name} "${record.name}": ${reason}`;
    return {
      kind: name,
      name: record.name,
      ...(this.#kind.planWord === undefined ? {} : { word: this.#word(record) }),
      reason,
      suggestion,
      candidates: [],
      cause: cause ?? { key: record.urn, summary, detail, suggestion },
    };
  }

  /** What several things without a twin have in common: one line of the plan, or the place that is not there. */
  #sharedCause(
    record: Found,
    sought: readonly Trait[],
    differing: readonly Difference[],
  ): Pick<Cause, "key" | "summary"> | undefined {
    const several = plural(this.#kind.name);
    const renames = differing.flatMap(renameOf);
    const [rename] = renames;
    if (rename !== undefined) {
      const summary = `${several} have another path at the target: "${rename.from}" there is "${rename.to}"`;
      return { key: `rename ${JSON.stringify(renames)}`, summary };
    }
    const moved = differing.find(({ trait }) => trait.under === "sources");
    if (moved !== undefined) {
      const { trait, value } = moved;
      const summary = `${several} of source "${trait.value}" are in source "${value}" at the target`;
      return { key: `source ${JSON.stringify([trait.value, value])}`, summary };
    }
    const place = sought.find(({ label }) => label === "path");
    const source = sought.find(({ label }) => label === "source");
    if (place !== undefined && differing.every(isAsHere)) {
      const folder = folderOf(place.fits[0] ?? place.value);
      const of = source === undefined ? "" : ` of source "${source.fits[0] ?? source.value}"`;
      const summary = `${several}${of} under "${folder}" are not at the target`;
      return { key: `absent ${JSON.stringify([source?.value, folder])}`, summary };
    }
    const holder = sought.find(({ always }) => always === true);
    if (holder === undefined) return undefined;
    const summary = `${several} of ${holder.label} "${holder.value}" are not at the target`;
    return { key: `${several} ${this.#kind.partOf?.(record) ?? ""}`, summary };
  }

  #sought(record: Found): readonly Trait[] {
    return (
      this.#kind.traits?.(record, this.#words) ?? [{ label: "name", value: record.name, fits: [record.name] }]
    );
  }

  /** The traits of a target record: nothing is renamed there, and it is its own twin. */
  #traitsThere(record: Found): readonly Trait[] {
    const pairing = {
      sources: {},
      connections: {},
      paths: [],
      queries: [],
      parentProperties: {},
      groups: {},
    };
    const words: TraitWords = {
      pairing,
      rename: (text) => text,
      twin: (urn) => urn,
      nameOf: (urn) => this.#words.nameOf(urn),
    };
    return this.#kind.traits?.(record, words) ?? [{ label: "name", value: record.name, fits: [record.name] }];
  }

  /** Of the same name the one with the most in common, else the one whose name is most alike; none that is a twin already. */
  #nearest(record: Found, sought: readonly Trait[]): Found | undefined {
    const held = sought.some(({ always }) => always === true);
    const pool = held
      ? this.#heldBy(this.#words.twin(this.#kind.partOf?.(record) ?? "") ?? "")
      : this.#candidates;
    const name = sought.find(({ label }) => label === "name");
    const names = name?.fits ?? [record.name];
    const same = held
      ? []
      : this.#free([...new Set([...names, record.name])].flatMap((text) => this.#named(text)));
    // What came back was asked for by the names of others.
    if (same.length === 0 && this.#kind.askedByName === true) return undefined;
    if (same.length === 0)
      return mostAlike(
        names[0] ?? record.name,
        this.#free(pool.slice(0, mostCompared)),
        (candidate) => candidate.name,
      );
    const inCommon = (candidate: Found): number => {
      const there = this.#traitsThere(candidate);
      return sought.filter((trait) =>
        there.some((other) => other.label === trait.label && accepts(trait, other.value)),
      ).length;
    };
    const most = same.slice(0, 50).map((candidate) => ({ candidate, common: inCommon(candidate) }));
    const best = Math.max(...most.map(({ common }) => common));
    const text = (traits: readonly Trait[]): string =>
      traits.map((trait) => trait.fits[0] ?? trait.value).join(" ");
    const alike = most.filter(({ common }) => common === best).map(({ candidate }) => candidate);
    return mostAlike(text(sought), alike, (candidate) => text(this.#traitsThere(candidate))) ?? alike[0];
  }

  #free(candidates: readonly Found[]): readonly Found[] {
    return candidates.filter(({ urn }) => !this.#isTaken(urn));
  }

  #named(name: string): readonly Found[] {
    this.#byName ??= Map.groupBy(this.#candidates, (candidate) => candidate.name);
    return this.#byName.get(name) ?? [];
  }

  #heldBy(urn: string): readonly Found[] {
    this.#byHolder ??= Map.groupBy(this.#candidates, (candidate) => this.#kind.partOf?.(candidate) ?? "");
    return this.#byHolder.get(urn) ?? [];
  }

  #nearText(near: Found | undefined, differing: readonly Difference[]): string {
    if (near !== undefined) {
      const other = differing
        .filter(({ trait }) => trait.label !== "name")
        .map(({ trait, value }) => `another ${trait.label}: "${value}"`)
        .join(", ");
      return `the nearest there is "${near.name}" (${near.urn})${other === "" ? "" : `, with ${other}`}`;
    }
    if (this.#kind.askedByName === true) return "nothing there has that name";
    if (this.#candidates.length === 0) return "nothing there comes near it";
    const free = this.#free(this.#candidates);
    if (free.length === 0) return "nothing there comes near it, and all of it is the twin of something else";
    const names = free.slice(0, 3).map(({ name }) => `"${name}"`);
    const more = free.length - names.length;
    const are = free.length === this.#candidates.length ? "there are" : "what has no twin there:";
    return `nothing there comes near it; ${are} ${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
  }

  /** For kinds that the plan pairs one by one. */
  #pairHint(record: Found, near: Found | undefined): string | undefined {
    const under = this.#kind.pairedUnder;
    if (under === undefined) return undefined;
    const unknown = under === "groups" ? "<uuid at the target>" : "<name at the target>";
    const wrong = Object.hasOwn(this.#words.pairing[under], this.#word(record));
    const line = pairLine(this.#word(record), near === undefined ? unknown : this.#word(near));
    const otherwise = this.#kind.otherwise === undefined ? "" : `; ${this.#kind.otherwise}`;
    const guess = near === undefined ? "" : " (a guess by name: check it)";
    return `In the plan, under pairing.${under}, ${wrong ? "correct" : "add"} ${asCode(line)}${guess}${otherwise}`;
  }

  /** For kinds that are found through what the plan renames. */
  #planHint(differing: readonly Difference[]): string | undefined {
    const lines = differing.flatMap((difference) => {
      const { trait, value } = difference;
      if (trait.under === "sources") return [`pairing.sources, add ${asCode(pairLine(trait.value, value))}`];
      return renameOf(difference).map((rename) => {
        const wrong = wrongRule(this.#words.pairing.paths, trait.value, value, rename);
        if (wrong === undefined) return `pairing.paths, add ${asCode(renameLine(rename))}`;
        return `pairing.paths, correct ${asCode(renameLine(wrong.rule))} to ${asCode(renameLine(wrong.corrected))}`;
      });
    });
    return lines.length === 0
      ? undefined
      : `In the plan, under ${lines.join(", and under ")} (a guess: check it)`;
  }

  #word(record: Found): string {
    return this.#kind.planWord?.(record) ?? record.name;
  }

  #advice(record: Found): string {
    return this.#kind.advice.replaceAll("<source urn>", () => shellWord(record.urn));
  }
}

interface Difference {
  readonly trait: Trait;
  /** At the target. */
  readonly value: string;
}

function accepts(trait: Trait, value: string): boolean {
  return trait.fits.length === 0 || trait.fits.includes(value);
}

/** It is called as at the source, and the plan says that it is called otherwise there: a copy, or left behind. */
function isAsHere({ trait, value }: Difference): boolean {
  return trait.under === "paths" && value === trait.value;
}

/** What is called as at the source is no reason to take a rule out of the plan. */
function renameOf(difference: Difference): readonly GuessedRename[] {
  const { trait, value } = difference;
  const isRenamed = trait.under === "paths" && !isAsHere(difference);
  const guess = isRenamed ? guessRename(trait.fits[0] ?? trait.value, value) : undefined;
  return guess === undefined ? [] : [guess];
}

/** `source "Snowflake PROD" (here "Snowflake DEV"), path "PROD_SALES/ORDERS", name "ORDERS"`. */
function lookedFor(sought: readonly Trait[]): string {
  return sought
    .filter(({ value }) => value !== "")
    .map(({ label, value, fits: [first] }) => {
      if (first === undefined) return `any ${label} (its own, "${value}", has no twin)`;
      return `${label} "${first}"${first === value ? "" : ` ("${value}" at the source)`}`;
    })
    .join(", ");
}

/** Reports keep what stands between such marks in one piece: it is there to be copied. */
function asCode(text: string): string {
  return `\`${text.replaceAll("`", "'")}\``;
}

function lowered(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}

function folderOf(path: string): string {
  const at = path.lastIndexOf("/");
  return at <= 0 ? path : path.slice(0, at);
}

function plural(kind: string): string {
  return kind.replaceAll("-", " ");
}

/** `catalog-items` are called by one's name: `catalog item`. */
export function noun(kind: string): string {
  return plural(kind).replace(/s$/u, "");
}
