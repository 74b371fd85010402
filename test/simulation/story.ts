import type { Openings } from "./openings.ts";
import type { FaultRule, Phase } from "../../src/emulator/index.ts";
import type { EnginePoint } from "../../src/engine/apply/recorder.ts";
import type { Policy } from "../../src/model/plan.ts";
import type { StorePoint } from "../../src/store/index.ts";
import type { Estate } from "../properties/estates/estate.ts";
import type { Choice } from "./decided.ts";
import type { Flags } from "./flags.ts";
import type { PlainName } from "./kinds/kind.ts";
import type { MastersPlan } from "./masters.ts";
import type { TablePlan } from "./rows.ts";
import type { RunsPlan } from "./runs.ts";
import type { Selecting } from "./selected.ts";
import type { Teams } from "./teams.ts";
import type { UnpairedGroup } from "./unpaired-group.ts";
import type { DiskFault } from "./machinery/disk.ts";
import type { NetworkFault } from "./machinery/network.ts";

/**
 * One round as plain data: what there is, what the tool is asked to do, and what befalls it meanwhile. A story that
 * failed is made smaller part by part, and kept as a file; numbers name objects by their place, so that any part of
 * a story is a story.
 */
export interface Story {
  /** Of the emulator: its ids and chances. */
  readonly seed: number;
  readonly estate: Estate;
  /** What people had made at the target before. */
  readonly there: Estate;
  /** Of the kinds in `kinds/`, by name. */
  readonly plain?: Readonly<
    Record<string, { readonly here: readonly unknown[]; readonly there: readonly unknown[] }>
  >;
  /** Terms that people assigned to attributes at the source, and rules that they linked to terms. */
  readonly assignments: readonly {
    readonly item: number;
    readonly attribute: number;
    readonly term: number;
  }[];
  /** With the assignments of terms. */
  readonly links: boolean;
  readonly policy: Partial<Policy>;
  /** What the plan selects; all of the first four when it says nothing. */
  readonly kinds?: readonly string[];
  /** No list shows primary monitors. */
  readonly hidesPrimaries?: boolean;
  /** A group that has no pair: what refers to it is blocked, or goes without, as the plan of the step says. */
  readonly unpairedGroup?: UnpairedGroup;
  /** What the documents leave open, where that is otherwise than the emulator has it by itself. */
  readonly openings?: Openings;
  /** A table of reference data, whose rows move with the rest. */
  readonly table?: TablePlan;
  /** Instances and authored masters of master data, the same. */
  readonly masters?: MastersPlan;
  /** Of both, rows that only the target has are removed by whoever may delete. */
  readonly removes?: true;
  /** Runs of the service that the plan starts. */
  readonly runs?: RunsPlan;
  /** Two plans over one mapping. */
  readonly teams?: Teams;
  /** Both sides say the same of everything that is selected, under ids of their own. */
  readonly isMirrored?: boolean;
  /** A rule of the source is nested deeper than anybody can compare. */
  readonly isDeep?: boolean;
  /** The target of the plan is its source, by another name. */
  readonly isOne?: boolean;
  /** When all is at rest, somebody loses the mapping. */
  readonly losesMapping?: boolean;
  /** When all is at rest, what somebody does before one more run. */
  readonly stirs?: readonly TimedAct[];
  /** Requests at a time; one at a time comes back more surely. */
  readonly concurrency: number;
  readonly steps: readonly Step[];
  /** What the plan says of policies when calm has come. */
  readonly calm: Partial<Policy>;
}

export interface Step {
  readonly command: Command;
  readonly policy: Partial<Policy>;
  readonly selecting?: Selecting;
  /** Its command line narrows what is selected. */
  readonly flags?: Flags;
  /** It is given by the second of two teams. */
  readonly isOfSecond?: true;
  readonly acts: readonly TimedAct[];
  /** What the service does wrong. */
  readonly faults: readonly FaultRule[];
  readonly network?: readonly NetworkFault[];
  readonly disk?: readonly DiskFault[];
  /** Somebody sets the clock of our machines, at a moment of the command. */
  readonly jumps?: readonly { readonly moment: number; readonly ms: number }[];
  /** Another process begins to apply the same plan, or another one onto the same target, at a moment of the command. */
  readonly second?: { readonly moment: number; readonly isOther?: boolean };
  /** It is given on another machine, with folders of its own: what is committed of the mapping goes from one to the other. */
  readonly isElsewhere?: boolean;
  /** Milliseconds that go by before the command. */
  readonly after?: number;
  readonly end?: End;
}

export type Command =
  | { readonly does: "apply"; readonly allowDelete: boolean; readonly verify: boolean }
  /** A diff, and an apply of just that; what a colleague does "before" happens between them. */
  | { readonly does: "approved"; readonly allowDelete: boolean }
  /** An export, and an apply of that snapshot; what a colleague does "before" happens between them. */
  | { readonly does: "kept"; readonly allowDelete: boolean }
  /** `earlier`: not of the last run that wrote something, but of the one so many runs of any command before the newest. */
  | { readonly does: "rollback"; readonly allowDelete: boolean; readonly earlier?: number }
  /** `nature` says what the person is like who decides. */
  | { readonly does: "resolve"; readonly nature: number }
  /** A diff, and a person who decides one thing that it leaves to people. */
  | { readonly does: "decide"; readonly object: number; readonly choice: Choice }
  | { readonly does: "unmap"; readonly object: number }
  | { readonly does: "map"; readonly object: number }
  /** A documentation flow, and what became of those that are open. */
  | { readonly does: "flow" }
  | { readonly does: "watch" }
  /** Evaluations of what was moved, and whether they say the same. */
  | { readonly does: "evaluate" }
  | { readonly does: "verify" }
  | { readonly does: "diff" }
  | { readonly does: "export" }
  /** Reads a plan that is no YAML, with a secret in it. */
  | { readonly does: "plan"; readonly fault: number }
  | { readonly does: "status" };

/** How a command ends before its time. */
export type End =
  | {
      readonly how: "kill";
      readonly at: EnginePoint | StorePoint;
      readonly nth: number;
      readonly power?: boolean;
    }
  /** The process dies at a moment; with the power, what was not synced is lost as well. */
  | { readonly how: "crash"; readonly moment: number; readonly power: boolean }
  /** The process dies as the target has received the nth request that it takes its time over, and is at work on it. */
  | { readonly how: "cut"; readonly slow: number; readonly power: boolean }
  /** Ctrl-C, at the nth event of the emulator. */
  | { readonly how: "stop"; readonly event: number };

export interface TimedAct extends Act {
  readonly when: When;
}

export type When =
  | { readonly at: "before" }
  /** The nth event of the emulator in this command. */
  | { readonly at: "event"; readonly nth: number }
  /** The nth moment: whatever takes time ends at one. */
  | { readonly at: "moment"; readonly nth: number }
  /** A phase of the nth write to the target. */
  | { readonly at: "write"; readonly phase: Phase; readonly nth: number }
  | { readonly at: "hook"; readonly point: EnginePoint; readonly nth: number }
  /** The moment at which the process dies. */
  | { readonly at: "death" }
  /** A phase of the request that a process had sent when it was cut off, whoever is at work by then. */
  | { readonly at: "late"; readonly phase: "before-commit" | "after-commit" };

export type ActKind =
  | "terms"
  | "rules"
  | "monitors"
  | "primary-monitors"
  | "dashboards"
  | "attributes"
  /** Of the table. */
  | "rows"
  /** Of master data. */
  | "masters"
  /** Of the service. */
  | "runs"
  /** Not a kind: whoever looks after the environment. */
  | "administration"
  /** Not a kind: whatever the process that was cut off had sent, and its twin at the source. */
  | "sent"
  | PlainName;

/** What a colleague does in the web application of one side. */
export interface Act {
  readonly side: "source" | "target";
  readonly kind: ActKind;
  readonly how: How;
  readonly object: number;
  readonly value: number;
}

/** Of objects, and not of records or runs. */
export type ObjectAct = Act & { readonly kind: Exclude<ActKind, "rows" | "masters" | "runs" | "sent"> };

export function isOfObjects(act: Act): act is ObjectAct {
  return act.kind !== "rows" && act.kind !== "masters" && act.kind !== "runs" && act.kind !== "sent";
}

export type How =
  | "forbid"
  | "permit"
  | "model"
  | "restore"
  | "text"
  | "more"
  | "less"
  | "rename"
  /** To another folder. */
  | "move"
  | "swap"
  | "remove"
  | "recreate"
  | "create"
  | "draft"
  | "draft-delete"
  | "publish"
  | "discard"
  /** Of a review of rows: some are approved, and the rest waits on; or some are refused, or all the rest is. */
  | "part"
  | "refuse"
  /** What colleagues have in a draft is put up for review. */
  | "ask"
  /** A term is assigned to an attribute, a monitor put on a dashboard, a rule or term used. */
  | "use"
  | "unuse"
  /** A rule loses its newest input and parameter, or a monitor of the colleague's own maps these. */
  | "shed"
  | "map";
