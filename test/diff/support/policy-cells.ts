import type { Action } from "../../../src/model/change.ts";
import type { Policy } from "../../../src/model/plan.ts";
import type { Expected, SourceState, TargetState } from "./cells.ts";
import { cellOf } from "./cells.ts";

/** What a policy makes of cells of the matrix. */
interface Saying {
  readonly policy: Partial<Policy>;
  readonly kinds: readonly string[];
  readonly source: readonly SourceState[];
  readonly target: readonly TargetState[];
  readonly action: Action;
  readonly reason: string;
}

const changeable = ["terms", "folders", "sql-items", "entities", "rules", "monitors"];
/** What people wrote over something. */
const words = ["item-metadata", "attribute-metadata", "stewardship"];
const entities = [...changeable, "dashboards"];
const noWay = "the service offers no way to change one";
const drifted = "it was changed at the target; policy.drift says to overwrite";
const bothChanged = "it changed on both sides; policy.conflict says that the source wins";
const adopted = "the target has one with the same natural key";

/** The first one that fits has the word; where none does, the policy says nothing to the cell. */
const sayings: readonly Saying[] = [
  {
    policy: { missingTarget: "recreate" },
    kinds: entities,
    source: ["same", "changed"],
    target: ["gone"],
    action: "create",
    reason: "policy.missingTarget says to create it again",
  },
  {
    policy: { drift: "overwrite" },
    kinds: [...changeable, ...words, "primary-monitors"],
    source: ["same"],
    target: ["changed"],
    action: "update",
    reason: drifted,
  },
  {
    policy: { conflict: "source-wins" },
    kinds: [...changeable, ...words, "primary-monitors"],
    source: ["changed"],
    target: ["changed"],
    action: "update",
    reason: bothChanged,
  },
  {
    policy: { adopt: "by-name" },
    kinds: changeable,
    source: ["new"],
    target: ["other-twin"],
    action: "adopt",
    reason: adopted,
  },
  {
    policy: { adopt: "never" },
    kinds: entities,
    source: ["new"],
    target: ["twin", "other-twin", "two-twins"],
    action: "create",
    reason: "nothing at the target stands for it",
  },
  // What cannot be changed is replaced, or left to a person.
  ...(["allow", "manual"] as const).flatMap((replace): Saying[] => {
    const rest = { kinds: ["dashboards"], action: replace === "allow" ? "replace" : "manual" } as const;
    const why = (reason: string): string => (replace === "allow" ? noWay : `${reason}, and ${noWay}`);
    return [
      {
        ...rest,
        policy: { replace, drift: "overwrite" },
        source: ["same"],
        target: ["changed"],
        reason: why(drifted),
      },
      {
        ...rest,
        policy: { replace, conflict: "source-wins" },
        source: ["changed"],
        target: ["changed"],
        reason: why(bothChanged),
      },
      {
        ...rest,
        policy: { replace, adopt: "by-name" },
        source: ["new"],
        target: ["other-twin"],
        reason: why(adopted),
      },
      {
        ...rest,
        policy: { replace },
        source: ["changed"],
        target: ["same", "twin", "other-twin", "two-twins"],
        reason: why("it changed at the source"),
      },
    ];
  }),
  {
    policy: { conflict: "source-wins" },
    kinds: words,
    source: ["new"],
    target: ["changed"],
    action: "update",
    reason: "first contact: the source says how it should be",
  },
  {
    // What people configured before the first contact is no longer left to them.
    policy: { targetOnly: "remove" },
    kinds: ["primary-monitors"],
    source: ["new"],
    target: ["changed"],
    action: "update",
    reason: "first contact: the source says how it should be",
  },
];

/** The answers that nobody gives who says nothing. */
const answers: readonly Partial<Policy>[] = [
  { adopt: "by-name" },
  { adopt: "never" },
  { drift: "overwrite" },
  { conflict: "source-wins" },
  { missingTarget: "recreate" },
  { replace: "allow" },
  { targetOnly: "remove" },
  { schedules: "disable" },
];

const byDefault = { adopt: "identical", drift: "report", conflict: "report", replace: "manual" } as const;

/** None of them, each alone, and every two together: what a policy does may hang on one other. */
export const policies: readonly Partial<Policy>[] = [
  {},
  ...answers,
  ...answers.flatMap((one, index) =>
    answers
      .slice(index + 1)
      .filter((other) => Object.keys(other)[0] !== Object.keys(one)[0])
      .map((other) => ({ ...one, ...other })),
  ),
].map((policy) => ({ ...byDefault, ...policy }));

/** What a cell says under a policy. */
export function cellUnder(
  policy: Partial<Policy>,
  kind: string,
  source: SourceState,
  target: TargetState,
): Pick<Expected, "action" | "reason"> {
  const fits = (said: Saying): boolean =>
    said.kinds.includes(kind) &&
    said.source.includes(source) &&
    said.target.includes(target) &&
    Object.entries(said.policy).every(([name, answer]) => policy[name as keyof Policy] === answer);
  const saying = sayings.find(fits);
  if (saying !== undefined) return saying;
  const cell = cellOf(kind, source, target);
  if ("impossible" in cell) throw new Error(cell.impossible);
  return cell;
}
