import { fewerOpenings } from "./openings.ts";
import type { Estate, MonitorPlan, RulePlan, TermPlan } from "../properties/estates/estate.ts";
import { lessFlagged } from "./flags.ts";
import { wider } from "./selected.ts";
import { fewerTeams } from "./teams.ts";
import type { Step, Story } from "./story.ts";

/** Makes a failing story smaller, part by part, as long as it fails; ends when nothing can go or the time is up. */
export async function shrink(
  story: Story,
  fails: (smaller: Story) => Promise<boolean>,
  until: number,
): Promise<Story> {
  let smallest = story;
  for (let found = true; found;) {
    found = false;
    for (const smaller of smallerThan(smallest)) {
      if (Date.now() > until) return smallest;
      if (!(await fails(smaller))) continue;
      smallest = smaller;
      found = true;
      break;
    }
  }
  return smallest;
}

/** The greatest steps first. */
function* smallerThan(story: Story): Generator<Story> {
  const { steps, estate, there } = story;
  for (let count = steps.length >> 1; count > 1; count >>= 1)
    for (let start = steps.length - count; start >= 0; start -= count)
      yield { ...story, steps: steps.toSpliced(start, count) };
  for (let index = steps.length - 1; index >= 0; index -= 1)
    yield { ...story, steps: steps.toSpliced(index, 1) };
  for (const smaller of smallerEstates(there)) yield { ...story, there: smaller };
  for (const smaller of smallerEstates(estate)) yield { ...story, estate: smaller };
  for (const [index, step] of steps.entries())
    for (const smaller of smallerSteps(step)) yield { ...story, steps: steps.with(index, smaller) };
  for (const [name, { here, there }] of Object.entries(story.plain ?? {})) {
    const smaller = (change: object): Story => ({
      ...story,
      plain: { ...story.plain, [name]: { here, there, ...change } },
    });
    if (here.length > 0) yield smaller({ here: here.slice(0, -1) });
    if (there.length > 0) yield smaller({ there: there.slice(0, -1) });
  }
  if (story.assignments.length > 0) yield { ...story, assignments: story.assignments.slice(1) };
  yield* fewerOpenings(story);
  yield* fewerTeams(story);
  const { unpairedGroup, ...paired } = story;
  if (unpairedGroup !== undefined) yield paired;
  const { runs: _started, ...unstarted } = story;
  if (story.runs !== undefined) yield unstarted;
  const { removes: _gone, ...keeping } = story;
  if (story.removes === true) yield keeping;
  const { table: _rows, masters: _records, ...plain } = story;
  const { table: _table, ...withMasters } = story;
  if (story.table !== undefined && story.masters !== undefined) yield withMasters;
  if (story.table !== undefined || story.masters !== undefined) yield plain;
  if (story.links) yield { ...story, links: false };
  if (story.concurrency > 1) yield { ...story, concurrency: 1 };
  for (const policy of without(story.policy)) yield { ...story, policy };
  for (const calm of without(story.calm)) yield { ...story, calm };
}

function* smallerSteps(step: Step): Generator<Step> {
  const { acts, faults, policy, end: _end, ...rest } = step;
  if (step.end !== undefined) yield { ...rest, acts, faults, policy };
  for (const index of acts.keys()) yield { ...step, acts: acts.toSpliced(index, 1) };
  for (const index of faults.keys()) yield { ...step, faults: faults.toSpliced(index, 1) };
  yield* wider(step);
  yield* lessFlagged(step);
  for (const smaller of without(policy)) yield { ...step, policy: smaller };
  for (const [index, act] of acts.entries())
    if (act.when.at !== "before")
      yield { ...step, acts: acts.with(index, { ...act, when: { at: "before" } }) };
}

function* smallerEstates(estate: Estate): Generator<Estate> {
  for (const name of ["dashboards", "monitors", "primaries", "rules", "terms"] as const) {
    const list: readonly unknown[] = estate[name];
    if (list.length > 1) yield { ...estate, [name]: [] };
    for (let index = list.length - 1; index >= 0; index -= 1)
      yield { ...estate, [name]: list.toSpliced(index, 1) };
  }
  yield* each(estate, "terms", simplerTerms);
  yield* each(estate, "rules", simplerRules);
  yield* each(estate, "monitors", simplerMonitors);
  yield* each(estate, "primaries", simplerMonitors);
}

function* each<T>(
  estate: Estate,
  name: keyof Estate,
  simpler: (plan: T) => readonly Partial<T>[],
): Generator<Estate> {
  const list = estate[name] as unknown as readonly T[];
  for (const [index, plan] of list.entries()) {
    for (const change of simpler(plan)) {
      const changed = { ...plan, ...change };
      if (JSON.stringify(changed) !== JSON.stringify(plan))
        yield { ...estate, [name]: list.with(index, changed) };
    }
  }
}

function simplerTerms(plan: TermPlan): readonly Partial<TermPlan>[] {
  return [
    { mentions: [], related: [], broader: undefined, owner: undefined, detection: [] },
    { mentions: [] },
    { related: [] },
    { broader: undefined },
    { detection: [] },
    { text: "" },
    ...(plan.owner === undefined ? [] : [{ owner: undefined }]),
  ];
}

function simplerRules({ groups, conditions }: RulePlan): readonly Partial<RulePlan>[] {
  return [
    { parameters: [], description: undefined, group: false },
    { parameters: [] },
    { description: undefined },
    { groups: groups.slice(0, 1) },
    { conditions: conditions.slice(0, 1) },
  ];
}

function simplerMonitors({ instances }: MonitorPlan): readonly Partial<MonitorPlan>[] {
  return [
    { instances: [], joins: [], thresholds: [], exports: [] },
    { instances: instances.slice(0, 1) },
    { instances: [] },
    { joins: [] },
    { thresholds: [] },
    { exports: [] },
    { cron: undefined },
  ];
}

/** The same without one of its fields, for each of them. */
function* without<T extends object>(fields: T): Generator<T> {
  for (const name of Object.keys(fields)) {
    const { [name as keyof T]: _gone, ...rest } = fields;
    yield rest as T;
  }
}
