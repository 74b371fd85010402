import { appliers, goingByBefore } from "./breach.ts";
import type { Result } from "../../src/model/result.ts";
import { afterCommand } from "./after.ts";
import { perform } from "./commands.ts";
import type { Ended, Tally } from "./ended.ts";
import type { End } from "./machinery/simulation.ts";
import { judgeMirrored } from "./alike.ts";
import { idOf } from "./kinds/index.ts";
import type { Scene } from "./scene.ts";
import { wordsOfSelecting } from "./selected.ts";
import { isOfObjects, type Step, type TimedAct } from "./story.ts";
import type { Second } from "./second.ts";
import { beginSecond } from "./second.ts";
import type { Migration } from "../../src/operations/migration.ts";
import type { WorldOptions } from "../support/world.ts";
import { Weather } from "./weather.ts";
import { aim } from "./what-was-sent.ts";
import { changedPolicy, endOf, inWords, wordsOf } from "./words.ts";
import { elsewhere, here } from "./world.ts";

/** Runs one step of a story and judges what it left. */
export async function playStep(scene: Scene, step: Step, tally: Tally): Promise<Ended> {
  const { books, judge, world } = scene;
  let acts = 0;
  const act = (asked: TimedAct): void => {
    const aimed = aim(scene, asked);
    if (aimed === undefined) return;
    const { timed, at } = aimed;
    const isModel = timed.kind === "administration" && timed.how === "model";
    const objects = (): string | undefined =>
      isOfObjects(timed) ? scene.colleague.act(timed, at) : scene.records.get(timed.kind)?.act(timed, at);
    const done = isModel ? judge.aroundModel(objects) : objects();
    if (done === undefined) return;
    acts += 1;
    scene.say(`    ${inWords(timed.when)}: ${timed.kind === "administration" ? "" : "a colleague "}${done}`);
  };
  const before = (): void => {
    for (const timed of step.acts) if (timed.when.at === "before") act(timed);
  };
  const isApproved = goingByBefore.has(step.command.does);
  if (!isApproved) before();
  const earlier = acts;

  const { simulation, network } = world;
  const root = step.isElsewhere === true ? elsewhere : here;
  if (root !== here) scene.carry(here, root);
  simulation.now += step.after ?? 1_000;
  const machine = world.machine();
  const troubles: string[] = [];
  const disk = world.disk(machine, step.disk ?? [], (fault) => troubles.push(fault));
  let second: Second | undefined;
  const weather = new Weather({
    step,
    world,
    machine,
    act,
    cut: scene,
    died: () => {
      if (judge.under !== undefined) judge.under.overAt = books.tick;
    },
    second: () => {
      // Of two machines at once nothing is promised (README).
      if (root === here) second ??= beginSecond(scene, machine, step.second?.isOther === true);
    },
    say: (line) => scene.say(line),
  });
  const options: WorldOptions = {
    hooks: weather.hooks,
    stop: weather.stop.signal,
    report: (progress) => {
      const writes = progress.type === "stage" && ["apply", "settle", "roll back"].includes(progress.stage);
      if (writes && judge.under !== undefined) judge.under.writesSince ??= books.tick;
      const isOfRows = progress.type === "stage" && progress.stage === "write rows";
      if (isOfRows && judge.under !== undefined) judge.under.rowsSince ??= books.tick;
    },
  };
  scene.isOfSecond = step.isOfSecond === true;
  const { flags, ...unflagged } = step;
  const isOfOne = (which: "first" | "then"): boolean => flags?.of === undefined || flags.of === which;
  const migration = scene.migration(disk, isOfOne("first") ? step : unflagged, options, root);
  // Of two command lines the second one narrows otherwise.
  const then =
    flags?.of === undefined
      ? migration
      : scene.migration(disk, isOfOne("then") ? step : unflagged, options, root);
  const { name: plan, policy } = world.plan(scene.plan(step));
  const pairs = await scene.pairs();
  judge.inDoubt = (await scene.state()).replayed.doubts;
  tally.doubts += judge.inDoubt.length;
  const began = (books.tick += 1);
  const { command } = step;
  judge.under = {
    does: command.does,
    plan,
    began,
    readSource: began,
    policy,
    allowDelete: "allowDelete" in command && command.allowDelete,
    writesSince: undefined,
    pairs: new Map(pairs.map(({ source, target }) => [target, source])),
  };
  const selecting = step.selecting === undefined ? "" : `, ${wordsOfSelecting(step.selecting)}`;
  const where = root === here ? "" : "on another machine: ";
  const narrowed = [...new Set([migration, then])].map((one) => one.narrowed).join(", then");
  const who = step.isOfSecond === true ? " of the second team" : "";
  scene.say(`${where}${wordsOf(command)}${narrowed}${who}${changedPolicy(step.policy)}${selecting}`);
  world.emulator.log.clear();
  network.troubles = [];
  weather.begin();
  const end = await simulation.run(machine, async () => {
    try {
      const between = async (): Promise<Migration> => {
        if (isApproved) before();
        if (judge.under !== undefined) judge.under = { ...judge.under, began: (books.tick += 1) };
        return then;
      };
      return await perform(command, migration, scene, between);
    } finally {
      await migration.close();
      if (then !== migration) await then.close();
    }
  });
  let { result, error } = outcomeOf(end);
  try {
    scene.staging.during?.(scene);
    if (result !== undefined) result = scene.staging.result?.(result) ?? result;
  } catch (thrown) {
    error = thrown instanceof Error ? thrown : new Error(String(thrown));
    result = undefined;
  }
  if (end.how === "hangs") judge.breach("hangs", `${command.does} waits for what never comes`);
  weather.end();
  scene.forget();
  if (root !== here) scene.carry(root, here);
  if (second !== undefined) await second.over();
  const faults = world.emulator.log.entries.filter(({ fault }) => fault !== undefined);
  for (const { fault, method, path } of faults) scene.say(`    ${fault ?? ""} at ${method} ${path}`);
  troubles.push(...network.troubles);
  for (const trouble of troubles) scene.say(`    ${trouble}`);
  scene.say(`    -> ${endOf(result, error)}`);
  const jumps = (step.jumps ?? []).length;
  const ended: Ended = {
    command,
    result,
    error,
    killed: weather.killed,
    disturbed:
      acts > earlier ||
      faults.length > 0 ||
      troubles.length > 0 ||
      jumps > 0 ||
      weather.stop.signal.aborted ||
      weather.killed,
    isAlone: second === undefined && root === here,
    plan,
    isNarrowed: scene.isNarrowed(step),
    root,
    // Of an approved diff: when it was applied.
    began: judge.under.began,
    readSource: began,
    policy,
  };
  tally.commands += 1;
  tally.acts += acts;
  tally.faults += faults.length + troubles.length;
  tally.jumps += jumps;
  if (second !== undefined) tally.seconds += 1;
  if (weather.killed) tally.kills += 1;
  if (weather.killed && step.end !== undefined && "power" in step.end && step.end.power) tally.powers += 1;
  if (weather.stop.signal.aborted) tally.stops += 1;
  await afterCommand(scene, ended);
  if (scene.story.isMirrored === true && step === scene.story.steps[0] && !ended.disturbed)
    judgeMirrored(scene, ended);
  const { under } = judge;
  const writing = appliers.has(command.does) || command.does === "rollback";
  const isFinished = result !== undefined && [0, 4, 7].includes(result.exitCode);
  if (writing && isFinished) {
    // An approved diff leaves what an interrupted run has drafted and it says nothing of.
    if (!(await scene.state()).mapping.hasUnfinished) judge.unfinished = [];
  } else if (writing && command.does !== "rollback" && under !== undefined)
    judge.unfinished = [...judge.unfinished, { ...under, done: doneIn(result) }];
  if (under !== undefined) under.overAt ??= books.tick;
  if (under !== undefined) scene.over.set(machine, under);
  judge.under = undefined;
  return ended;
}

function outcomeOf(end: End<Result>): { result?: Result | undefined; error?: Error | undefined } {
  if (end.how === "done") return { result: end.value };
  if (end.how !== "failed") return {};
  return { error: end.error instanceof Error ? end.error : new Error(String(end.error)) };
}

function doneIn(result: Result | undefined): ReadonlySet<string> {
  const done = result?.changes.filter(({ outcome }) => outcome === "done") ?? [];
  return new Set(done.flatMap(({ kind, target }) => (target === undefined ? [] : idOf(kind, target.urn))));
}
