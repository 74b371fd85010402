import { EngineError } from "../../src/engine/progress.ts";
import type { Result } from "../../src/model/result.ts";
import { idOfChange, isLeft, lineOf } from "./left.ts";
import type { BookKind } from "./books.ts";
import { writes } from "./alike.ts";
import { Content } from "./content.ts";
import type { Ended, Tally } from "./ended.ts";
import { urnOf } from "./kinds/index.ts";
import { partIds } from "./leaves.ts";
import { calmed } from "./openings.ts";
import { playStep } from "./play.ts";
import { judgeFiles } from "./said.ts";
import type { Pair, Scene } from "./scene.ts";
import { stir } from "./stirs.ts";
import type { Command, Step, Story } from "./story.ts";

/** Most runs that a target may need once nobody disturbs. */
const mostRuns = 3;

/** What waits for a person takes a run to ask for it and one to bring it, the source's next word as well. */
const forReviews = 2;

/** Calm comes, and the tool is run until there is nothing left; then everything must be where it belongs. */
export async function comeToRest(scene: Scene, tally: Tally): Promise<void> {
  const { judge, world } = scene;
  await world.simulation.settle();
  // The plan is refused, whatever is tried.
  if (scene.story.isOne === true) return;
  judge.aroundModel(() => scene.colleague.rest());
  if (scene.story.openings !== undefined) calmed([scene.books.source, scene.books.target]);
  for (const records of scene.records.values()) await records.calm?.();
  scene.say("calm: nobody disturbs any more");
  const { story } = scene;
  // Two teams go on in turns, until neither finds anything to do.
  const teams = story.teams === undefined ? [false] : [false, true];
  const last = new Map<boolean, Ended>();
  const advised = new Map<boolean, Story["calm"]>();
  // What only the target has is to go: it is no rest before that.
  const apply = { does: "apply", allowDelete: story.removes === true, verify: false } as const;
  const quiet = (command: Command, isOfSecond = false): Step => {
    const policy = { ...story.calm, ...advised.get(isOfSecond) };
    return { command, policy, acts: [], faults: [], after: 600_000, ...(isOfSecond ? { isOfSecond } : {}) };
  };
  const { table } = story;
  // What was forgotten is met again in the target's own form, which is another one than the source's: it is asked for once more.
  const reviews = table?.publish === "review" ? (table.isInCapitals === true ? 3 : 1) : 0;
  const most = mostRuns + reviews * forReviews;
  for (let run = 0; run < most; run += 1) {
    let isAtRest = true;
    for (const isOfSecond of teams) {
      const paired = await scene.pairs();
      const ended = await calmRun(scene, tally, {
        step: () => quiet(apply, isOfSecond),
        heed: (advice) => {
          if (advised.has(isOfSecond)) return false;
          advised.set(isOfSecond, advice);
          return true;
        },
      });
      if (ended === undefined) return;
      last.set(isOfSecond, ended);
      let isSeenTo = false;
      for (const records of scene.records.values()) if (await records.seeTo(ended.result)) isSeenTo = true;
      if (ended.result?.exitCode === 6) {
        isAtRest = false;
        await playStep(scene, quiet({ does: "resolve", nature: 0 }, isOfSecond), tally);
      }
      // What was paired or forgotten without a request may tell the next run more; so may rows that a killed run had written,
      // and this one found: what has changed at the source since comes with the next run (README).
      else if (
        isSeenTo ||
        hasLearned(scene) ||
        writes(scene).length > 0 ||
        hasRowsDone(ended) ||
        goesByEarlier(ended) ||
        !isEqual(paired, await scene.pairs(), story.teams !== undefined)
      )
        isAtRest = false;
    }
    if (isAtRest) break;
  }
  const results: Result[] = [];
  for (const isOfSecond of teams) {
    const before = scene.books.changes;
    const { result } = await furtherRun(scene, tally, quiet(apply, isOfSecond));
    if (scene.books.changes !== before) judge.breach("no-rest", "a further run changes the target");
    if (result?.exitCode === 6 && last.get(isOfSecond)?.result?.exitCode !== 6)
      judge.breach("no-rest", "a further run is in doubt");
    if (result === undefined) continue;
    results.push(result);
    await judgeWhole(scene, result);
  }
  const told = results.find(({ exitCode }) => exitCode !== 0) ?? results[0];
  for (const records of scene.records.values()) records.judgeWhole(told);
  // Where who selects all has left nothing, who selects less finds nothing to do.
  const { flags } =
    story.steps.findLast(({ command, flags: narrow }) => command.does === "apply" && narrow !== undefined) ??
    {};
  if (flags !== undefined && told?.exitCode === 0 && judge.breaches.length === 0)
    await furtherRun(scene, tally, { ...quiet(apply), flags });
  if (story.stirs !== undefined && results.length > 0 && judge.breaches.length === 0)
    await stir(scene, tally, quiet(apply));
  if (told?.exitCode === 0 && judge.breaches.length === 0 && story.losesMapping === true)
    await pairAgain(scene, tally, quiet(apply));
  judgeFiles(scene);
}

/** What the target was seen not to offer the next diff plans without. */
function hasLearned({ story, world }: Scene): boolean {
  return (
    story.openings?.lacks !== undefined &&
    world.emulator.log.entries.some(
      ({ tenant, method, status }) => tenant === "prod" && method !== "GET" && [404, 405].includes(status),
    )
  );
}

/** Undefined where it ends with an error that nobody could do anything about. */
async function calmRun(
  scene: Scene,
  tally: Tally,
  { step, heed }: { readonly step: () => Step; readonly heed: (advice: Story["calm"]) => boolean },
): Promise<Ended | undefined> {
  let ended = await playStep(scene, step(), tally);
  // It asks whether this is the right target; it is, so the plan says what the refusal advises.
  const advice = await advisedBy(ended, scene);
  if (advice !== undefined && heed(advice)) ended = await playStep(scene, step(), tally);
  for (const records of scene.records.values())
    if (ended.error !== undefined && (await records.sayWhich?.(ended.error)) === true)
      ended = await playStep(scene, step(), tally);
  const { error } = ended;
  if (error === undefined) return ended;
  scene.judge.breach("no-rest", `an apply in calm weather ends with ${error.name}: ${error.message}`);
  return undefined;
}

/** There is nothing left to do. */
async function furtherRun(scene: Scene, tally: Tally, step: Step): Promise<Ended> {
  const ended = await playStep(scene, step, tally);
  for (const write of writes(scene)) scene.judge.breach("no-rest", `a further run sends ${write}`);
  if (hasRowsDone(ended)) scene.judge.breach("no-rest", "a further run says that it has done rows");
  return ended;
}

function hasRowsDone({ result }: Ended): boolean {
  return result?.changes.some(({ records }) => records !== undefined && records.done > 0) === true;
}

/** Rows that an interrupted run had compared were not compared anew: what has changed since comes with the next run, and it says so. */
function goesByEarlier({ result }: Ended): boolean {
  return result?.changes.some(({ records }) => records?.comparedBefore === true) === true;
}

/** `isKnownAlike`: and of each the same is known; what the plan of one team lets stay, that of the other may say to remove. */
function isEqual(before: readonly Pair[], after: readonly Pair[], isKnownAlike: boolean): boolean {
  const said = ({ source, target, print = "" }: Pair): string =>
    `${source} ${target}${isKnownAlike ? ` ${print}` : ""}`;
  const known = new Set(before.map(said));
  return before.length === after.length && after.every((pair) => known.has(said(pair)));
}

/** Where both sides say the same and nobody else is there, a tool that has forgotten everything finds it out again. */
async function pairAgain(scene: Scene, tally: Tally, step: Step): Promise<void> {
  const { books, judge, world } = scene;
  const pairs = await scene.pairs();
  const content = new Content(scene, pairs);
  const paired = new Set(
    pairs.flatMap(({ source, target }) =>
      books.version("source", source)?.published === undefined ? [] : [target],
    ),
  );
  // What is moved because something selected refers to it.
  const along = new Set(pairs.map(({ kind }) => kind));
  const isSame =
    pairs.every(
      (pair) =>
        content.lacks(pair, true).length === 0 && !content.leadsNowhere(pair) && !content.isEmptyAtOne(pair),
    ) &&
    [...books.published("target")].every(
      ({ kind, urn }) => paired.has(urn) || !(scene.isSelected(kind) || along.has(kind)),
    );
  if (!isSame) return;
  world.media.forget("/work/mappings/dev--prod");
  scene.forget();
  scene.say("    somebody loses the mapping");
  const { result } = await playStep(
    scene,
    { ...step, policy: { ...step.policy, adopt: "identical" } },
    tally,
  );
  for (const write of writes(scene))
    judge.breach("not-paired-again", `without the mapping a run sends ${write}`);
  for (const change of result?.changes.filter(isLeft) ?? [])
    judge.breach("not-paired-again", `without the mapping it is left: ${lineOf(change)}`);
}

/** What a plan says of a side that most is gone from, where the books say so, too: the run was right to ask. */
async function advisedBy({ error }: Ended, scene: Scene): Promise<Story["calm"] | undefined> {
  if (!(error instanceof EngineError)) return undefined;
  if (error.code === "wrong-target" && (await mostAreGone(scene, "target")))
    return { missingTarget: "recreate" };
  // People have made it all anew at the source, and want it at the target as well.
  if (error.code === "wrong-source" && (await mostAreGone(scene, "source"))) return { adopt: "never" };
  return undefined;
}

/** By the books: a backup was brought back, or people have deleted all that. */
async function mostAreGone(scene: Scene, side: "source" | "target"): Promise<boolean> {
  const { books } = scene;
  const isThere = (at: "source" | "target", urn: string): boolean =>
    books.version(at, urn)?.published !== undefined;
  const pairs = await scene.pairs();
  const wanted = side === "target" ? pairs.filter(({ source }) => isThere("source", source)) : pairs;
  const gone = wanted.filter((pair) => !isThere(side, pair[side]));
  return gone.length >= 5 && gone.length * 2 > wanted.length;
}

/** Every selected object of the source has its twin with its content, or the result says why not. */
async function judgeWhole(scene: Scene, result: Result): Promise<void> {
  const { books, judge } = scene;
  const pairs = await scene.pairs();
  const content = new Content(scene, pairs);
  const bySource = new Map(
    pairs.filter(({ kind }) => kind !== "term-assignments").map((pair) => [pair.source, pair]),
  );
  const listed = new Set(result.changes.filter(isLeft).map(idOfChange));
  const { details: _none, diagnostics } = result;
  const abandoned = new Set(diagnostics.map(({ coordinate }) => coordinate?.urn));
  // What is left to a person has no twin that could be referred to, or not the one that is gone.
  const open = new Set([...listed].map((left) => left.slice(-36)));
  for (const { source, target, keys } of pairs)
    if (listed.has(source) && books.version("target", target)?.published === undefined)
      for (const id of [target.slice(-36), ...Object.values(keys)]) open.add(id);
  // Its parts may have been told apart for others, and stand nowhere yet.
  for (const left of listed)
    for (const id of partIds(books.version("source", left)?.published ?? {})) open.add(id);
  const isOpen = (line: string): boolean => [...open].some((id) => line.includes(id));
  for (const { kind, urn } of books.published("source")) {
    if (listed.has(urn) || abandoned.has(urnOf(urn)) || !scene.isSelected(kind, scene.isOfSecond)) continue;
    const pair = bySource.get(urn);
    const what = `${kind} ${scene.named("source", urn)}`;
    if (pair === undefined) {
      judge.breach("lost", `${what} has no twin, and the last run does not say why`);
    } else if (books.version("target", pair.target)?.published === undefined) {
      judge.breach(
        "lost",
        `the twin of ${what} (${pair.target}) is not there, and the last run does not say so`,
      );
    } else {
      // What each side alone has changed was merged, or a person has the target's version stay.
      if (scene.isKept(pair)) continue;
      const lines = content.lacks(pair).filter((line) => !isOpen(line));
      for (const line of lines.slice(0, 3))
        judge.breach("wrong-content", `the twin of ${what} (${pair.target.slice(-36, -28)}): ${line}`);
    }
  }
  for (const { kind, source, target } of pairs) {
    if (!scene.isSelected(kind as BookKind, scene.isOfSecond)) continue;
    if (kind === "term-assignments" || listed.has(source) || abandoned.has(urnOf(source))) continue;
    if (books.version("source", source) === undefined) continue;
    if (books.version("target", target) === undefined && bySource.get(source) !== undefined)
      judge.breach("lost", `${source} is mapped to ${target}, which is not there, and nobody says so`);
  }
}
