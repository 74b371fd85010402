import { inDiff } from "./in-diff.ts";
import { inRuns } from "./in-runs.ts";
import { inService } from "./in-service.ts";
import { inStore } from "./in-store.ts";
import type { Mutant } from "./mutant.ts";

/** What the simulator must find out: each of them breaks a promise. */
export const mutants: readonly Mutant[] = [...inStore, ...inService, ...inRuns, ...inDiff];
