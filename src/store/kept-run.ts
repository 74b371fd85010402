import { z } from "zod";

/** Who ran a command: in a pipeline the job is what a reader looks for. */
export interface RunBy {
  readonly user: string;
  readonly host: string;
  /** Its address or name, in a pipeline. */
  readonly job?: string | undefined;
}

/** What is kept of a run beside its reports. */
export interface KeptRun {
  readonly run: string;
  /** When it began; ISO 8601. */
  readonly at: string;
  /** As it was typed: `ferry apply prod --yes`. */
  readonly command: string;
  /** Of a run that was killed it may not be known. */
  readonly by?: RunBy | undefined;
  readonly exitCode: number;
  /**
   * Absent where it told how it ended: what is known of the others is what the journal knows, and there is no report.
   * `open` where nobody can tell whether it was killed or is at work.
   */
  readonly ending?: "killed" | "at-work" | "open" | undefined;
  /** Somebody was asked, and did not want it: it is no failure that it was not begun. */
  readonly declined?: true | undefined;
  readonly headline: string;
  /** By action, as in the result. */
  readonly summary: Readonly<Record<string, number>>;
  /** So many changes were made, where that is fewer than there were to make. */
  readonly done?: number | undefined;
  /** Requests that can have changed the target. */
  readonly writes: number;
  readonly durationMs: number;
}

export const keptRunSchema: z.ZodType<KeptRun> = z.looseObject({
  run: z.string(),
  at: z.string(),
  command: z.string(),
  by: z.looseObject({ user: z.string(), host: z.string(), job: z.string().optional() }).optional(),
  exitCode: z.number(),
  ending: z.enum(["killed", "at-work", "open"]).optional(),
  declined: z.literal(true).optional(),
  headline: z.string(),
  summary: z.record(z.string(), z.number()),
  done: z.number().optional(),
  writes: z.number(),
  durationMs: z.number(),
});

/**
 * By their names, which come in the order of the runs, whatever the clock said, and wherever the files were copied to. What is called
 * otherwise has its place by when it began.
 */
export function inOrder<R extends Pick<KeptRun, "run"> & Partial<KeptRun>>(runs: readonly R[]): readonly R[] {
  const key = ({ at = "", run }: R): string => `${timeInName(run) ?? at} ${run}`;
  return runs.toSorted((a, b) => (key(a) < key(b) ? -1 : Number(key(a) > key(b))));
}

/** 2026-11-21T08-45-00-123Z-3f2a9c: when the run began, behind those that were known then. */
export function timeInName(run: string): string | undefined {
  const [, day, hours, minutes, seconds, ms] =
    /^(\d{4}-\d\d-\d\dT)(\d\d)-(\d\d)-(\d\d)-(\d{3}Z)/.exec(run) ?? [];
  return day === undefined ? undefined : `${day}${hours}:${minutes}:${seconds}.${ms}`;
}

export const noReport = "There is none of this name: `ferry runs PLAN` lists those that are kept.";
