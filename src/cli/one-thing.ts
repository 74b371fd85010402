import { keyText } from "../model/key.ts";
import type { Plan } from "../model/plan.ts";
import { shellWord } from "../model/shell-word.ts";
import { UsageError } from "./usage-error.ts";

/** A URN says nothing of which of the things it means that lie over one object: who looked at one has not seen the other. */
export function refuseSeveral(
  found: readonly { readonly kind: string; readonly urn: string }[],
  object: string | undefined,
  said: {
    readonly command: "ack" | "decide";
    /** What they are in the last diff, and what stands behind the object on the command line. */
    readonly as: string;
    readonly flag?: string;
    readonly plan: Pick<Plan, "name">;
  },
): void {
  const [first] = found;
  if (first === undefined || found.length < 2 || object !== first.urn) return;
  const { command, as, flag = "", plan } = said;
  throw new UsageError(
    `${command}: ${object} ${as} several things: ${found.map(({ kind }) => kind).join(", ")}`,
    `Say which one, for example: ferry ${command} ${plan.name} ${shellWord(keyText(first.kind, first.urn))}${flag === "" ? "" : ` ${flag}`}`,
  );
}
