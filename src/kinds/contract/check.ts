import type { Change } from "../../model/change.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { JsonObject } from "../../model/json.ts";
import type { Policy } from "../../model/plan.ts";
import type { Resolution } from "../../model/translate.ts";
import type { Found } from "./found.ts";
import type { ModelTypes } from "./misfit.ts";

/** A condition on the diff as a whole: a pure function, run once when every object has its change. */
export interface Check {
  readonly name: string;
  run(view: CheckView): CheckFindings;
}

export interface CheckView {
  /** Of all kinds, deletes of what the source has no more left out. */
  readonly changes: readonly Change[];
  readonly policy: Policy;
  readonly source: CheckSide;
  readonly target: CheckSide;
  /** All that an object of the source refers to, where that is known without its body. */
  refersTo(urn: string): readonly string[] | undefined;
  /** What a URN of the source has become. */
  resolve(urn: string): Resolution;
  /** Whether an object of the target is paired with one that the source has, selected or not. */
  isTwin(kind: string, urn: string): boolean;
  /** A given thing of the target, as far as it was read. */
  givenAtTarget(urn: string): Found | undefined;
  /** Of what a body of the source refers to: as what it is at the target. */
  readonly typesThere: ModelTypes;
}

export interface CheckSide {
  /** As far as the kind was read. */
  bodies(kind: string): Iterable<JsonObject>;
  has(kind: string, urn: string): boolean;
  body(kind: string, urn: string): JsonObject;
}

export interface CheckFindings {
  readonly diagnostics: readonly Diagnostic[];
  /** By the change's id: a person has to do something first, and nothing is sent for it. */
  readonly held?: ReadonlyMap<string, Held>;
}

export interface Held extends Pick<Diagnostic, "code" | "suggestion" | "cause"> {
  readonly reason: string;
}
