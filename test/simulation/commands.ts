import { EngineError } from "../../src/engine/progress.ts";
import type { Result } from "../../src/model/result.ts";
import { applyPlan } from "../../src/operations/apply.ts";
import { contested, decide as decideContested } from "../../src/operations/decide.ts";
import { diffPlan } from "../../src/operations/diff.ts";
import { exportSnapshot } from "../../src/operations/export.ts";
import { startFlow, watchFlow } from "../../src/operations/flow.ts";
import { removeMappings, setMappings } from "../../src/operations/mappings.ts";
import type { Migration } from "../../src/operations/migration.ts";
import type { Decision, OpenQuestion } from "../../src/operations/resolve.ts";
import { resolveDoubts } from "../../src/operations/resolve.ts";
import { rollbackRun } from "../../src/operations/rollback.ts";
import { parityPlan } from "../../src/operations/parity.ts";
import { planStatus } from "../../src/operations/status.ts";
import { verifyPlan } from "../../src/operations/verify.ts";
import { parsePlan } from "../../src/plan/parse.ts";
import { labelOf, nameOf } from "./accounts.ts";
import type { BookKind } from "./books.ts";
import { idOf, plainKind, urnOf } from "./kinds/index.ts";
import { Runs } from "./runs.ts";
import type { Scene } from "./scene.ts";
import type { Command } from "./story.ts";
import { here } from "./world.ts";

const confirm = async (): Promise<boolean> => true;

/** One command, as the command line would run it. */
export async function perform(
  command: Command,
  migration: Migration,
  scene: Scene,
  /** Of what comes behind it, as its own command line has it. */
  between: () => Promise<Migration>,
): Promise<Result> {
  switch (command.does) {
    case "apply":
      return applyPlan(migration, { confirm, allowDelete: command.allowDelete, verify: command.verify });
    case "approved":
      await diffPlan(migration, { out: scene.approved });
      return applyPlan(await between(), { confirm, allowDelete: command.allowDelete, diff: scene.approved });
    case "kept":
      await exportSnapshot(migration);
      return applyPlan(await between(), {
        confirm,
        allowDelete: command.allowDelete,
        snapshot: `${here}/plans/${migration.plan.name}/snapshot`,
      });
    case "rollback":
      return rollbackRun(migration, {
        confirm,
        allowDelete: command.allowDelete,
        run: await earlierRun(migration, command.earlier),
      });
    case "resolve":
      return resolveDoubts(migration, {
        decisions: [...scene.records.values()].flatMap((records) => records.decided?.(command.nature) ?? []),
        ask: async (question) => decide(question, command.nature, scene),
      });
    case "decide":
      return decideOne(migration, command, scene);
    case "unmap":
      return unmap(migration, command.object, scene);
    case "map":
      return map(migration, command.object, scene);
    case "diff":
      return diffPlan(migration, {});
    case "export":
      await exportSnapshot(migration);
      return planStatus(migration);
    case "plan":
      throw readPlan(command.fault);
    case "flow":
      return startFlow(migration, Runs.byHand);
    case "watch":
      return watchFlow(migration, await answerOf(scene));
    case "evaluate":
      return parityPlan(migration, { run: true });
    case "verify":
      return verifyPlan(migration);
    case "status":
      return planStatus(migration);
  }
}

/** By its name, as `ferry runs` tells it; whatever command it was of, a rollback too. */
async function earlierRun(migration: Migration, earlier: number | undefined): Promise<string | undefined> {
  if (earlier === undefined) return undefined;
  const runs = (await migration.store.state.archives()).map(({ run }) => run);
  return runs[runs.length - 1 - (earlier % Math.max(1, runs.length))];
}

/** What a person says of a flow that is asked about. */
async function answerOf(scene: Scene): Promise<string | undefined> {
  const runs = scene.records.get("runs");
  return runs instanceof Runs ? runs.answer(await scene.state()) : undefined;
}

/** What a person is told of a plan that cannot be read; each has a secret where YAML wants something else. */
function readPlan(fault: number): EngineError {
  const secret = ["*prod-secret", "&prod-secret x: y", "prod-secret: {"][fault % 3] ?? "";
  const text = `target:\n  clientId: prod\n  clientSecret: ${secret}\n`;
  const read = parsePlan(text, ["target", "clientId", "clientSecret"]);
  return "summary" in read
    ? new EngineError("selection", [read.summary, read.suggestion, read.excerpt].map(String).join("; "))
    : new EngineError("selection", "the plan can be read");
}

/** A person who looks before deciding: what is there and the same is taken, what is not there is sent again. */
async function decide(
  { doubt, candidates, settlesItself }: OpenQuestion,
  nature: number,
  scene: Scene,
): Promise<Decision | undefined> {
  const { source } = doubt.item;
  const same = candidates.find((candidate) => candidate.same);
  if (same !== undefined) {
    scene.judge.told.add(same.urn);
    scene.say(`    the person takes ${scene.named("target", same.urn)}`);
    return { decision: "take", source, target: same.urn };
  }
  if (nature === 9) {
    scene.say(`    the person abandons ${scene.named("source", source)}`);
    return { decision: "abandon", source };
  }
  if (settlesItself && nature > 2) return undefined;
  if (candidates.length > 0) return undefined;
  // Whoever says that it did not happen overrules what anybody knew of it.
  if (doubt.item.target !== undefined) scene.judge.untold.add(idOf(doubt.kind, doubt.item.target));
  else {
    const body = scene.books.version("source", source)?.published;
    const kind = doubt.kind as BookKind;
    const label = labelOf(scene.books, "source", kind, body ?? {}, source);
    if (body !== undefined) scene.judge.sentOnceMore.add(nameOf(kind, body, label));
  }
  scene.say(`    the person has ${scene.named("source", source)} sent again`);
  return { decision: "retry", source };
}

/** One drift or conflict of a diff that was just made, as a person sees it there. */
async function decideOne(
  migration: Migration,
  { object, choice }: Extract<Command, { does: "decide" }>,
  scene: Scene,
): Promise<Result> {
  const result = await diffPlan(migration, {});
  const open = (await contested(migration)).filter(({ action }) => action !== "decided");
  const one = open[object % Math.max(1, open.length)];
  if (one === undefined) throw new EngineError("selection", "nothing is contested");
  const { target } =
    result.changes.find(({ kind, source }) => kind === one.kind && source?.urn === one.urn) ?? {};
  // Before it is done: it may be killed half-way.
  if (target !== undefined) scene.judge.decide(idOf(one.kind, target.urn), idOf(one.kind, one.urn), choice);
  scene.say(`    a person decides on ${scene.named("source", idOf(one.kind, one.urn))}: ${choice}`);
  await decideContested(migration, [{ of: one, choice }]);
  return result;
}

async function unmap(migration: Migration, object: number, scene: Scene): Promise<Result> {
  const pairs = await scene.pairs();
  const pair = pairs[object % Math.max(1, pairs.length)];
  if (pair === undefined) throw new EngineError("selection", "nothing is mapped");
  // Before it is done: it may be killed half-way.
  scene.judge.untold.add(pair.target);
  scene.say(`    the pair of ${scene.named("source", pair.source)} is taken away`);
  return removeMappings(migration, [`${pair.kind}:${urnOf(pair.source)}`]);
}

/** Pairs what has the same name on both sides and no twin yet. */
async function map(migration: Migration, object: number, scene: Scene): Promise<Result> {
  const pairs = await scene.pairs();
  const taken = new Set(pairs.flatMap(({ source, target }) => [source, target]));
  const { books } = scene;
  const isFree = ({ kind, urn }: { readonly kind: string; readonly urn: string }): boolean =>
    !taken.has(urn) && plainKind(kind)?.isOver !== true;
  const there = [...books.published("target")].filter(isFree);
  const possible = [...books.published("source")].filter(isFree).flatMap(({ kind, urn, body }) => {
    const label = labelOf(books, "source", kind, body);
    const twin = there.find((found) => labelOf(books, "target", found.kind, found.body) === label);
    return twin === undefined ? [] : [{ kind, source: urn, target: twin.urn }];
  });
  const pair = possible[object % Math.max(1, possible.length)];
  if (pair === undefined) throw new EngineError("selection", "there is nothing to pair");
  scene.judge.told.add(pair.target);
  scene.say(`    ${scene.named("source", pair.source)} is paired with ${scene.named("target", pair.target)}`);
  return setMappings(migration, [pair], { check: true });
}
