import type { Decision, DoubtDetails, OpenQuestion } from "../../operations/resolve.ts";
import { resolveDoubts } from "../../operations/resolve.ts";
import { doubtLine } from "../../operations/diff.ts";
import { display } from "../../model/display.ts";
import { briefDoubts, isForMachines } from "../brief.ts";
import type { CommonFlags } from "../flags.ts";
import { inTurn } from "../in-turn.ts";
import type { Io } from "../io.ts";
import { runOnPlan } from "../session.ts";
import { UsageError } from "../usage-error.ts";

export interface ResolveFlags extends CommonFlags {
  readonly take?: string[] | undefined;
  readonly retry?: string[] | undefined;
  readonly abandon?: string[] | undefined;
}

export async function runResolve(io: Io, plan: string, flags: ResolveFlags): Promise<number> {
  return runOnPlan({ io, command: "resolve", plan, flags }, async ({ migration, clear }) => {
    const decisions = decisionsOf(flags);
    const asks = decisions.length === 0 && io.interactive && flags.input && flags.json !== true;
    const asking: Pick<Io, "stderr" | "ask"> = {
      stderr: io.stderr,
      ask: inTurn(io, "To leave the others open, answer them with the Enter key alone."),
    };
    const result = await resolveDoubts(migration, {
      decisions,
      // What the next apply settles is no question to a person: it is counted at the end.
      ...(asks
        ? { ask: async (question) => (question.settlesItself ? undefined : ask(asking, question, clear)) }
        : {}),
    });
    return isForMachines(flags)
      ? result
      : { ...result, details: briefDoubts(result.details as DoubtDetails) };
  });
}

function decisionsOf(flags: ResolveFlags): readonly Decision[] {
  const take = (flags.take ?? []).map((text): Decision => {
    const at = text.indexOf("=");
    if (at < 0) throw new UsageError(`--take ${text}: write it as <source urn>=<target urn>`);
    return { decision: "take", source: text.slice(0, at), target: text.slice(at + 1) };
  });
  const retry = (flags.retry ?? []).map((source): Decision => ({ decision: "retry", source }));
  const abandon = (flags.abandon ?? []).map((source): Decision => ({ decision: "abandon", source }));
  return [...take, ...retry, ...abandon];
}

async function ask(
  io: Pick<Io, "stderr" | "ask">,
  { doubt, candidates }: OpenQuestion,
  clear: () => void,
): Promise<Decision | undefined> {
  clear();
  const { source } = doubt.item;
  io.stderr.write(`\n${display(doubtLine(doubt))}\n`);
  for (const [index, candidate] of candidates.entries()) {
    const same = candidate.same ? "the same content" : "other content";
    io.stderr.write(`  ${index + 1}) ${display(candidate.name)} (${display(candidate.urn)}), ${same}\n`);
  }
  const choices = candidates.length === 0 ? "" : "a number to take that one, ";
  const answer = (
    await io.ask(
      `Type ${choices}r to send it again, a to abandon it (no run touches it any more), or nothing to leave it open: `,
    )
  ).trim();
  if (answer === "r") return { decision: "retry", source };
  if (answer === "a") return { decision: "abandon", source };
  const candidate = candidates[Number(answer) - 1];
  return candidate === undefined ? undefined : { decision: "take", source, target: candidate.urn };
}
