import type { Step, Story } from "./story.ts";
import { nothing } from "./telling.ts";

/** What tests of the judge begin with: a quiet apply, and a story in which there is nothing but what is added to it. */

export const apply: Step = {
  command: { does: "apply", allowDelete: false, verify: false },
  policy: {},
  acts: [],
  faults: [],
};

export const empty: Omit<Story, "steps"> = {
  seed: 1,
  estate: nothing,
  there: nothing,
  assignments: [],
  links: false,
  policy: {},
  kinds: ["terms"],
  concurrency: 1,
  calm: {},
};
