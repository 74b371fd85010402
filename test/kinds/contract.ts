import type { GivenSubject } from "./support/given.ts";
import { givenKind } from "./support/given.ts";
import type { MovedSubject } from "./support/moved.ts";
import { movedKind } from "./support/moved.ts";

/**
 * What every kind must hold, whatever it moves. A kind's own test file says how to seed it and runs this; what is
 * special about it follows there.
 */
export function contract(subject: MovedSubject): void;
export function contract(subject: GivenSubject): void;
export function contract(subject: MovedSubject | GivenSubject): void {
  if (subject.kind.mode === "given") givenKind(subject as GivenSubject);
  else movedKind(subject as MovedSubject);
}
