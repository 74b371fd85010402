import type { Leaves } from "./leaves.ts";

export type Choice = "take-source" | "keep-target";

interface Decision {
  readonly choice: Choice;
  /** What stood at the target then, at one moment of the command or another. */
  readonly there: readonly Leaves[];
  /** What the source said then. */
  readonly said: Leaves;
  /** The plan left the switches of monitors to the target. */
  readonly isSwitchLeft: boolean;
}

/** What a person decided of things at the target, by their URN. */
export class Decided {
  readonly #last = new Map<string, Decision>();
  readonly #kept = new Set<string>();
  readonly #switchesLeft = new Set<string>();

  note(target: string, decision: Decision): void {
    this.#last.set(target, decision);
    if (decision.choice !== "keep-target") return;
    this.#kept.add(target);
    if (decision.isSwitchLeft) this.#switchesLeft.add(target);
  }

  /**
   * The switch of its schedule was none of what a person has kept: the plan left it to the target, and when a plan says
   * later that it is the source's, that is brought, and told (README of plans).
   */
  isSwitchLeft(target: string, path: string): boolean {
    return path === "/schedule/enabled" && this.#switchesLeft.has(target);
  }

  /** A person has looked at just what stands there, and takes the source's version of it. */
  isGivenUp(target: string, path: string, then: Leaves): boolean {
    const { choice, there = [] } = this.#last.get(target) ?? {};
    return choice === "take-source" && there.some((seen) => seen.get(path) === then.get(path));
  }

  /** Both sides said the same there when a person had the target's version of all else stay: from then on it is known. */
  isAgreed(target: string, path: string, value: string): boolean {
    const { choice, there = [], said } = this.#last.get(target) ?? {};
    const isSeen = there.some((seen) => seen.get(path) === value);
    return choice === "keep-target" && isSeen && said?.get(path) === value;
  }

  /** A later decision is about what differs then: what was kept before stays so until the source says something new of it. */
  isKept(target: string): boolean {
    return this.#kept.has(target);
  }
}
