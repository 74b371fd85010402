import type { Explanation } from "./explanation.ts";

/** About runs of the service: evaluations and documentation flows. */
export const serviceRunCodes = {
  "evaluates-nothing": {
    means: "Moved monitors have no rule that is switched on at either side.",
    why: "Nobody configured them, or they only profile: their runs are SKIPPED and have no results.",
    act: "Nothing; they are no part of the comparison.",
  },
  "evaluation-not-offered": {
    means: "The service does not offer to start an evaluation.",
    why: "The path of the start is in none of its documents; this one answers 404.",
    act: "Run the monitors in the web application of the target, then: ferry parity PLAN.",
  },
  "evaluation-failed": {
    means: "The evaluation of a moved monitor that was started at the target did not finish.",
    why: "Its workflow failed, was cancelled or skipped, or was not taken on; the reason stands with it.",
    act: "Set right at the target what the reason names, and run again: ferry parity PLAN --run.",
  },
  "evaluation-running": {
    means:
      "An evaluation that was started at the target has not ended, or it is not known yet whether it was started.",
    why: "It takes longer than limits.workflow, or the run was interrupted; it goes on at the service.",
    act: "Run the same command again: it is taken up, and not started a second time; only where the monitor was changed since, another one follows when it has ended.",
  },
  "flow-done": {
    means: "A documentation flow that the plan asks for has finished.",
    why: "It was started by this run, or by an earlier one that was interrupted.",
    act: "Nothing.",
  },
  "flow-failed": {
    means: "A documentation flow at the target failed, was cancelled, or was not taken on.",
    why: "The reasons of its failed jobs stand with it.",
    act: "Set right what they name, and run the same command again.",
  },
  "flow-in-doubt": {
    means: "A documentation flow may have been started, and nobody can tell which workflow it is.",
    why: "The answer to its start was lost, and several workflows began since; their names are not documented.",
    act: "Look at the candidates in the web application; then: ferry flow PLAN watch WORKFLOW where it is one of them, ferry flow PLAN watch none where it is not.",
  },
  "flow-not-started": {
    means: "A documentation flow that the plan asks for was not started.",
    why: "Nothing was written, or the run came to no good end before it.",
    act: "Nothing, or start it yourself: ferry flow PLAN start NAME --connection NAME.",
  },
  "flow-running": {
    means: "A documentation flow has not ended, or it is not known yet whether it was started.",
    why: "It takes longer than limits.workflow, or the run was interrupted; it goes on at the service.",
    act: "Run the same command again: it is taken up, and not started a second time.",
  },
  "flow-starts": {
    means: "What a run will start at the target: a documentation flow that the plan asks for.",
    why: "It stands under flows in the plan.",
    act: "Nothing; take it out of the plan if it should not run.",
  },
} satisfies Readonly<Record<string, Explanation>>;
