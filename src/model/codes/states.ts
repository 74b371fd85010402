import type { Explanation } from "./explanation.ts";

/** What a report says of an object in one word, where that is no code of a diagnostic: it is what stands there to be asked about. */
export const stateExplanations: Readonly<Record<string, Explanation>> = {
  manual: {
    means: "A person has to do it: the service offers no way, or it is not ferry's to do.",
    why: "The object says which of the two, and what stands in the way.",
    act: "Do what is said with it; accept it with `ferry ack PLAN`; or leave it out with select.exclude.",
  },
  adopt: {
    means: "An object of the target is taken as the twin of one at the source; nothing is written for that.",
    why: "Both are known by the same, and say the same, or policy.adopt says that this is enough.",
    act: "Nothing. Where it is not the twin, say which one is: ferry mappings PLAN set SOURCE TARGET.",
  },
  replace: {
    means: "A new object takes the place of the one at the target.",
    why: "It changed, the service offers no update for it, and policy.replace allows it.",
    act: "Nothing. The former one goes under --allow-delete, where that is possible.",
  },
};
