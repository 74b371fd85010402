import { catalogMeaningOf, compareMeanings, meaningOf } from "../support/meaning.ts";
import { noRenames } from "../support/meaning/given.ts";
import { published } from "./bijection.ts";
import type { Findings } from "./invariants.ts";
import { draftsOf, inspect, statusProblems, writesTo } from "./invariants.ts";
import { mappingRows } from "./mapping-files.ts";
import type { CrashWorld } from "./world.ts";

/**
 * What must hold when a rollback was killed and run again until done: the target means what it meant before the run
 * that was taken back, nothing is there twice or lost, a further rollback writes nothing, and the run itself can be
 * made again.
 */
export async function inspectBack(world: CrashWorld): Promise<Findings> {
  const { emulator, estate, before } = world;
  const target = emulator.tenant("prod");
  await emulator.idle();
  const isTwin = (line: string): boolean => estate.twins.some((twin) => line.includes(`${twin}#`));
  const problems = [
    ...compareMeanings(before.meaning, meaningOf(target, noRenames)).filter((line) => !isTwin(line)),
    ...compareMeanings(before.catalog, catalogMeaningOf(target, noRenames, [])),
    ...countProblems(world),
    ...mappingProblems(world),
    ...draftsOf(target).problems,
    ...(await statusProblems(world)),
  ];
  emulator.log.clear();
  const dump = JSON.stringify(target.dump());
  const again = await world.quick(world.command);
  if (again.code !== estate.done)
    problems.push(`a further rollback ends with ${again.code}: ${again.stdout}${again.stderr}`);
  problems.push(...writesTo(emulator, "prod").map((write) => `a further rollback sends ${write}`));
  if (JSON.stringify(target.dump()) !== dump) problems.push("a further rollback changes the target");
  if (problems.length > 0) return { problems, draftsLeft: 0 };

  const forth = await world.quick(world.moving);
  if (forth.code !== estate.done)
    return { problems: [`moved again, it ends with ${forth.code}: ${forth.stdout}`], draftsLeft: 0 };
  return inspect(world);
}

function countProblems({ before, emulator }: CrashWorld): readonly string[] {
  const after = emulator.tenant("prod").counts();
  return (["terms", "rules", "monitors", "dashboards"] as const).flatMap((kind) =>
    before.counts[kind] === after[kind]
      ? []
      : [`there were ${before.counts[kind]} ${kind}, there are ${after[kind]}`],
  );
}

/** Every row names an object that is there, and none is named twice; the source may have changed since. */
function mappingProblems({ emulator, mappings }: CrashWorld): readonly string[] {
  const target = emulator.tenant("prod");
  const named = new Set<string>();
  return mappingRows(mappings).flatMap(({ kind, source, target: urn, unfinished }) => {
    const problems: string[] = [];
    if (published(target, urn) === undefined)
      problems.push(`${kind}: ${urn} is mapped and not at the target`);
    // What lies over something goes by the URN of that.
    if (named.has(`${kind} ${urn}`)) problems.push(`${kind}: ${urn} stands for two`);
    if (unfinished !== undefined) problems.push(`${kind}: ${source} still has to ${unfinished}`);
    named.add(`${kind} ${urn}`);
    return problems;
  });
}
