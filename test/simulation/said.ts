import type { Result } from "../../src/model/result.ts";
import type { DiffFile } from "../../src/operations/approved-file.ts";
import type { StatusDetails } from "../../src/operations/status.ts";
import {
  renderAnnotations,
  renderCodeQuality,
  renderHtml,
  renderJson,
  renderMarkdown,
  renderText,
} from "../../src/report/index.ts";
import type { Ended } from "./ended.ts";
import { isLeft } from "./left.ts";
import type { Scene } from "./scene.ts";

/** What every result must be, whatever it is about: without secrets, and in step with what is on disk. */
export async function judgeWords(scene: Scene, { command, result, error }: Ended): Promise<void> {
  const { judge } = scene;
  const text = result === undefined ? (error?.stack ?? "") : JSON.stringify(result);
  const told = secretIn(text);
  if (told !== undefined) judge.breach("secret-told", `the result of ${command.does} holds ${told}`);
  if (result === undefined) return;
  judgeRendered(scene, command.does, result);
  judgeRefused(scene, command.does, result);
  if (command.does === "status") await judgeStatus(scene, result);
  if (command.does === "approved") judgeApproved(scene, result);
  if (command.does === "apply" && !command.allowDelete && !command.verify) await judgeWhole(scene, result);
}

/** One history in so many has its results written as people and pipelines read them. */
const rendered = 8;

function judgeRendered(scene: Scene, does: string, result: Result): void {
  const { judge, story } = scene;
  if (story.seed % rendered !== 0) return;
  // What is written line by line, runs and rows, may be gone at the end.
  judgeFiles(scene);
  for (const render of [renderText, renderMarkdown, renderHtml, renderJson, renderCodeQuality, onGitHub]) {
    const told = secretIn(render(result));
    if (told !== undefined)
      judge.breach("secret-told", `what ${render.name} makes of the result of ${does} holds ${told}`);
  }
}

function onGitHub(result: Result): string {
  return renderAnnotations(result, { GITHUB_ACTIONS: "true" });
}

/** No file that is left may hold what nobody must read. */
export function judgeFiles({ judge, world }: Scene): void {
  for (const [path, { data }] of world.media.files()) {
    const told = secretIn(data.toString("latin1"));
    if (told !== undefined) judge.breach("secret-told", `${path} holds ${told}`);
  }
}

function secretIn(text: string): string | undefined {
  if (/(?:dev|prod)-secret/.test(text)) return "the secret of a client";
  return /eyJ[\w-]{6,}\.[\w-]+\.[\w-]+/.test(text) ? "a token" : undefined;
}

function statusOf(details: unknown): StatusDetails {
  return details as StatusDetails;
}

/** Status and journal say the same. */
async function judgeStatus(scene: Scene, { details }: Result): Promise<void> {
  const { replayed, mapping } = await scene.state();
  const { inDoubt, counts } = statusOf(details);
  const open = replayed.doubts.length + replayed.starts.length;
  if (inDoubt.length !== open) {
    const what = `status tells of ${inDoubt.length} in doubt, and the journal of ${open}`;
    scene.judge.breach("status", what);
  }
  for (const [kind, { mapped }] of Object.entries(counts)) {
    const rows = [...mapping.entries(kind)].length;
    if (rows !== mapped)
      scene.judge.breach("status", `status tells of ${mapped} ${kind}, and there are ${rows}`);
  }
}

/** A list of which its own total says that it is not whole ends a run that has nothing to settle. */
async function judgeWhole(scene: Scene, { changes, exitCode }: Result): Promise<void> {
  const lie = scene.world.network.troubles.find((trouble) => emptyList.test(trouble));
  const { replayed } = await scene.state();
  if (lie === undefined || replayed.doubts.length > 0 || ![0, 4].includes(exitCode)) return;
  // Where only users were looked for in it, what they might use is left, and it is said why.
  if (changes.some((change) => isLeft(change) && /could not be read .* not complete/.test(change.reason)))
    return;
  scene.judge.breach(
    "taken-for-whole",
    `${lie}, and the run ended with ${exitCode} as if the list were whole`,
  );
}

/**
 * A list of given things that was refused is not an empty one: who uses one of them is told so. What is left for its name,
 * or for how deep it is nested, was not asked for them yet.
 */
function judgeRefused({ world, judge, books, given: { source } }: Scene, does: string, result: Result): void {
  if (does !== "apply" && does !== "diff") return;
  const refused = world.emulator.log.entries.find(
    ({ fault, status, method, path }) =>
      fault === "status" && (status === 400 || status === 404) && method === "GET" && given.test(path),
  );
  if (refused === undefined) return;
  const called = refused.path.endsWith("transformations") ? /^transformation / : /^(?:dimension|result) /;
  const listed = [...source.all].flatMap(([name, urn]) => (called.test(name) ? [urn] : []));
  for (const change of result.changes) {
    const about = change.diagnostics.find(({ code }) => asked.has(code));
    if (change.action !== "blocked" || about === undefined || change.source === undefined) continue;
    const body = JSON.stringify(books.version("source", change.source.urn)?.published ?? {});
    if (!listed.some((urn) => body.includes(urn)) || /is not known/.test(JSON.stringify(change))) continue;
    judge.breach("refusal-hidden", `GET ${refused.path} was refused, and ${does} says ${change.reason}`);
  }
}

/** What is said of an object whose references were looked for. */
const asked: ReadonlySet<string> = new Set(["unresolved-reference", "exists-with-other-content"]);

const given = /\/(?:dq-dimensions|transformations)$/;

const emptyList = /^lie \(empty-page\) at GET .*\/(?:terms|rules|dq-monitors|dq-dashboards|folders)$/;

/** What was done was approved. */
function judgeApproved(scene: Scene, { changes }: Result): void {
  const file = JSON.parse(scene.world.observing().readFileSync(scene.approved)) as DiffFile;
  const approved = new Map(file.changes.map((change) => [change.id, change]));
  for (const { id, action, outcome, kind, source, target } of changes) {
    const writes = ["create", "update", "replace", "adopt", "delete"].includes(action);
    if (!writes || outcome !== "done") continue;
    const before = approved.get(id);
    if (before?.action === action) continue;
    const name = source?.name ?? target?.name ?? "";
    scene.judge.breach(
      "not-approved",
      `${action} ${kind} "${name}" was done, and ${before === undefined ? "nothing of it" : before.action} was approved`,
    );
  }
}
