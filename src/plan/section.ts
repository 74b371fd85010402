import type { z } from "zod";
import type { Limits, Pairing, Plan, Policy, Selection } from "../model/plan.ts";
import type { PlanProblem } from "./plan-error.ts";

/** One key of a plan: what may be written there, and what counts when nothing is. */
export interface Setting<Value> {
  readonly schema: z.ZodType<Value>;
  /** The key of the same part that it stands behind, in messages as in the documents; without one it is the last. */
  readonly after?: string;
  /** The plan's word, where the program's own says more, such as the unit. */
  readonly written?: string;
}

/** By the program's word: the type that it has there (`interface Policy`) and the schema are held together here. */
export type Settings<Part> = { readonly [Key in keyof Part]?: Setting<Part[Key]> };

/** The parts of a plan that kinds may have keys in; `top` is the plan itself. */
const parts = ["top", "select", "pairing", "policy", "limits"] as const;
export type PlanPart = (typeof parts)[number];

/**
 * What one kind, or the engine, lets a person say in a plan. The type of a key stands beside its schema, merged into
 * the interface of its part (`declare module "../model/plan.ts"`), so that the part is complete where all kinds are.
 */
export interface PlanSection {
  readonly top?: Settings<Plan>;
  readonly select?: Settings<Selection>;
  readonly pairing?: Settings<Pairing>;
  readonly policy?: Settings<Policy>;
  readonly limits?: Settings<Limits>;
  /** Names of maps that hold values as environments keep them: a number there stands for what is written. */
  readonly literal?: readonly string[];
  /** What no schema can say, because it is about several keys; no problem quotes a value. */
  check?(plan: Plan): readonly PlanProblem[];
}

/** A key with the word that it has in the program. */
export interface Placed {
  readonly key: string;
  /** As a person writes it. */
  readonly written: string;
  readonly setting: Setting<unknown>;
}

export type SettingsTable = Readonly<Record<PlanPart, readonly Placed[]>>;

/**
 * The keys of all sections, part by part. Kinds that share a key contribute one
 * and the same setting: two that differ would make the plan mean whichever came first, so that throws, at start.
 */
export function settingsTable(sections: readonly PlanSection[]): SettingsTable {
  const tables = parts.map((part) => [part, placed(part, sections)] as const);
  return Object.fromEntries(tables) as Record<PlanPart, readonly Placed[]>;
}

function placed(part: PlanPart, sections: readonly PlanSection[]): readonly Placed[] {
  const table: Placed[] = [];
  for (const section of sections) {
    const settings: Readonly<Record<string, Setting<unknown>>> = section[part] ?? {};
    for (const [key, setting] of Object.entries(settings)) {
      const { written = key } = setting;
      const same = table.find((other) => other.key === key || other.written === written);
      if (same?.setting === setting) continue;
      if (same !== undefined)
        throw new Error(`the plan's key ${part === "top" ? "" : `${part}.`}${written} has two meanings`);
      table.push({ key, written, setting });
    }
  }
  return table;
}
