import { passingTrouble } from "../../kinds/trouble.ts";

/** Why something could not be looked at, and what a person does about it. */
export interface NotSeen {
  readonly why: string;
  /** A sentence; its end is what they can do by hand in any case. */
  readonly act: string;
}

const byHand = "look who uses it in the web application of the target, and delete it by hand";

/**
 * Of a failure that says nothing of other requests; any other is thrown on. A permission mends what was refused for want of one, and
 * nothing else: what the service does not take it takes by the next run no more than by this one, and the rest passes.
 */
export function notSeen(error: unknown, whyOf: (reason: string) => string = (reason) => reason): NotSeen {
  const { reason, fatal, state } = passingTrouble(error);
  const why = whyOf(reason);
  if (fatal === "permission")
    return { why, act: `Give the API client the permission to read it, and run again; or ${byHand}.` };
  return state === "refused" ? onlyByHand(why) : { why, act: `Run again; or ${byHand}.` };
}

/** Where nothing would show it to the next run either. */
export function onlyByHand(why: string): NotSeen {
  return { why, act: `${byHand.charAt(0).toUpperCase()}${byHand.slice(1)}.` };
}
