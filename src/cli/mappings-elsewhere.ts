import { existsSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { display } from "../model/display.ts";
import { shellWord } from "../model/shell-word.ts";
import { UsageError } from "./usage-error.ts";

const usualPlans = "plans";

/** Where mappings are kept when nobody says otherwise, below the folder in which the command runs. */
export const usualMappings = "mappings";

/** The usual one as well, where somebody names it: that is said, and not what is meant when nobody says anything. */
export function namedMappings(folder: string): string {
  return folder === usualMappings ? `./${folder}` : folder;
}

/**
 * A plan may be named by its path from any folder, and what was moved is known in the one where it ran: from another one all would be
 * met for the first time, made once more under `policy.adopt: never`, and a run that is at work there would not be seen. `mapping`: the
 * folder of the pair, as it is reached from here.
 */
export function refuseElsewhere(mapping: string, plan: string, cwd: string): void {
  if (existsSync(mapping)) return;
  const root = rootsOf(plan).find((folder) => existsSync(join(folder, usualMappings, basename(mapping))));
  if (root === undefined) return;
  const at = relative(cwd, root) || ".";
  const [here, there] = [mapping, join(root, usualMappings, basename(mapping))].map((folder) =>
    display(relative(cwd, folder)),
  );
  throw new UsageError(
    `what this plan has moved is known in ${there}, and here is no ${here}: nothing would be known of it; nothing was done`,
    `Run it in the plan's own folder: cd ${shellWord(at)}. Or name the folder that is meant, with --mappings-dir ${shellWord(join(at, usualMappings))} or another one.`,
  );
}

/** Where the command runs that has this plan for its own: the folder that holds `plans/`, however deep the plan lies in that. */
function rootsOf(plan: string): readonly string[] {
  const beside = dirname(plan);
  const holders: string[] = [];
  for (let at = beside; dirname(at) !== at; at = dirname(at))
    if (basename(at) === usualPlans) holders.push(dirname(at));
  return [dirname(beside), beside, ...holders];
}
