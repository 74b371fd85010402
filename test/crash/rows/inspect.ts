import { stableText } from "../../../src/model/canonical.ts";
import type { Json } from "../../../src/model/json.ts";
import type { Findings } from "../invariants.ts";
import { holdsSecret, secretsIn, statusProblems, writesTo } from "../invariants.ts";
import type { CrashWorld } from "../world.ts";
import type { Entry, RowBooks, RowsEstate } from "./estate.ts";

/**
 * What must hold when a run over rows was killed and run again until done, told from the emulator's books alone: every
 * selected row is there once, published and in the draft; nothing else was touched, whoever's it is; a further run
 * writes nothing; and what is known of the rows is known still.
 */
export async function inspectRows(world: CrashWorld, rows: RowsEstate): Promise<Findings> {
  const { estate, before, emulator } = world;
  await settled(world);
  const problems: string[] = [];
  if (estate.back === true) {
    problems.push(...unlike(before.rows, rows.books(emulator, "prod"), "taken back"));
    problems.push(...(await furtherRun(world, world.command)));
    const forth = await world.quick(world.moving);
    if (forth.code !== estate.done) problems.push(`moved again, it ends with ${forth.code}: ${forth.stdout}`);
    await settled(world);
  }
  const wanted = asMoved(before.rows, rows.books(emulator, "dev"), rows.removes === true);
  problems.push(...unlike(wanted, rows.books(emulator, "prod"), "moved"));
  problems.push(...(await statusProblems(world)), ...(await openRows(world)));
  problems.push(...(await furtherRun(world, ["apply", ...world.moving.slice(1)])));
  problems.push(...(await forgotten(world, rows)));
  problems.push(
    ...secretsIn(world.folder),
    ...world.said.filter(holdsSecret).map(() => "a run said a secret"),
  );
  return { problems, draftsLeft: 0 };
}

async function settled({ emulator }: CrashWorld): Promise<void> {
  await emulator.idle();
  emulator.tenant("prod").referenceData.settle();
}

/** What the target had, with what the source says over it; what already said so was not touched, drafts of others neither. */
function asMoved(target: RowBooks, source: RowBooks, removes: boolean): RowBooks {
  return Object.fromEntries(
    Object.entries(source).map(([table, rows]) => {
      const merged = new Map(target[table]);
      for (const [key, [entry]] of rows) {
        const [there] = merged.get(key) ?? [];
        const says = (one: Entry | undefined): string => stableText(one?.shown ?? null);
        if (entry !== undefined && says(there) !== says(entry)) merged.set(key, [entry]);
      }
      if (removes)
        for (const [key, [entry]] of merged)
          if (!rows.has(key) && entry?.shown !== undefined) merged.delete(key);
      return [table, merged];
    }),
  );
}

function unlike(wanted: RowBooks, found: RowBooks, how: string): readonly string[] {
  return Object.entries(wanted).flatMap(([table, rows]) => {
    const there = found[table] ?? new Map<string, readonly Entry[]>();
    return [...new Set([...rows.keys(), ...there.keys()])].flatMap((key) => {
      const [should, is] = [rows.get(key) ?? [], there.get(key) ?? []];
      const text = (entries: readonly Entry[]): string => stableText(entries as unknown as Json);
      if (text(should) === text(is)) return [];
      // What was made and cannot be deleted is inactive in the end.
      if (should.length === 0 && is.length === 1 && is[0]?.isGone === true) return [];
      return [`${table}: ${key}, ${how}: it should be ${text(should)}, it is ${text(is)}`];
    });
  });
}

async function furtherRun(world: CrashWorld, argv: readonly string[]): Promise<readonly string[]> {
  const { emulator, estate } = world;
  const books = (): string =>
    JSON.stringify([emulator.tenant("prod").dump(), Object.fromEntries(rowsOf(world))]);
  const [before, what] = [books(), argv[0] ?? ""];
  emulator.log.clear();
  const { code, stdout, stderr } = await world.quick(argv);
  const problems = code === estate.done ? [] : [`a further ${what} ends with ${code}: ${stdout}${stderr}`];
  problems.push(...writesTo(emulator, "prod").map((write) => `a further ${what} sends ${write}`));
  if (books() !== before) problems.push(`a further ${what} changes the target`);
  return problems;
}

function rowsOf({ estate, emulator }: CrashWorld): readonly (readonly [string, unknown])[] {
  const books = estate.rows?.books(emulator, "prod") ?? {};
  return Object.entries(books).map(([table, rows]) => [table, [...rows]] as const);
}

async function openRows(world: CrashWorld): Promise<readonly string[]> {
  const { stdout } = await world.quick(["status", "crash", "--json"]);
  const { details } = JSON.parse(stdout) as { details?: { tables?: readonly Record<string, unknown>[] } };
  return (details?.tables ?? [])
    .filter(({ waiting, sent, inDoubt }) => [waiting, sent, inDoubt].some((count) => count !== 0))
    .map((table) => `status still tells of rows: ${JSON.stringify(table)}`);
}

/** A colleague's change of a row that was moved is drift: of what is not known it would be overwritten. */
async function forgotten(world: CrashWorld, rows: RowsEstate): Promise<readonly string[]> {
  const touched = rows.touch(world.emulator);
  const { code, stdout } = await world.quick([
    "diff",
    ...world.moving.slice(1).filter((one) => one !== "--yes" && one !== "--allow-delete"),
  ]);
  const { summary } = JSON.parse(stdout) as { summary?: { drift: number; update: number } };
  if (summary?.drift === touched && summary.update === 0) return [];
  return [
    `${touched} rows were changed by a colleague, the diff tells (${code}): ${JSON.stringify(summary)}`,
  ];
}
