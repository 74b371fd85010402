import type { exitCodes } from "../result.ts";
import type { Explanation } from "./explanation.ts";

/** What a process ends with. */
export const exitExplanations: Readonly<Record<keyof typeof exitCodes, Explanation>> = {
  done: {
    means: "Done, or nothing to do.",
    why: "Everything that was asked for is as it should be.",
    act: "Nothing.",
  },
  failed: {
    means: "Failed.",
    why: "The service, the network or the disk did not let it be done.",
    act: "Do what the message says, and run the same command again: nothing is done twice.",
  },
  changes: {
    means: "There are changes.",
    why: "`ferry diff PLAN --detailed-exitcode` found some; without the flag that is a 0.",
    act: "ferry apply PLAN, or have the diff approved first.",
  },
  permission: {
    means: "Sign-in or permission.",
    why: "The credentials are not accepted, or the API client may not do what was asked.",
    act: "`ferry doctor PLAN` shows which.",
  },
  partial: {
    means: "Done in part.",
    why: "Some objects failed, are blocked, drifted, are in conflict, or need a person.",
    act: "They are listed with what to do; the rest is done. Run again afterwards.",
  },
  interrupted: {
    means: "Interrupted.",
    why: "Ctrl-C, a signal, or the end of a CI job.",
    act: "Run the same command again to continue.",
  },
  inDoubt: {
    means: "Items in doubt need a decision.",
    why: "An answer was lost, and what the target shows does not tell what became of the request.",
    act: "ferry resolve PLAN.",
  },
  expectation: {
    means: "An expectation failed.",
    why:
      "Verify found differences; parity found monitors that say something else; the approved diff no longer fits; most of what was moved " +
      "is gone, or an environment is not the one that was meant; or there are more deletes than `--max-deletes`.",
    act: "The message says which. ferry diff PLAN shows how things are now, and ferry parity PLAN which monitors differ.",
  },
  locked: {
    means: "Another run holds the lock.",
    why: "One run at a time works on a target.",
    act: "Wait for it to end; the lock frees by itself when its holder does.",
  },
  usage: {
    means: "Usage or plan error.",
    why: "A flag, an argument or the plan is wrong, or names what is not there; nothing was written.",
    act: "Correct what is named.",
  },
};

/** How a command ends that does not wait for its own end, by the signal that it gets: 128 and its number. */
const leftAtOnce: Explanation = {
  means: "Left at once: a second interrupt, or a signal that does not wait for the end.",
  why: "Ctrl-C twice (130), SIGTERM twice (143), the terminal that was closed (129); of `npm run`, the first Ctrl-C. What kills a command outright, such as a lack of memory, is 137.",
  act: "Run the same command again to continue: what was in flight is settled first. `ferry status PLAN` tells what it is.",
};
export const signalExplanations: Readonly<Record<string, Explanation>> = {
  "129": leftAtOnce,
  "130": leftAtOnce,
  "137": leftAtOnce,
  "143": leftAtOnce,
};
