import type { Trouble } from "../../kinds/trouble.ts";

/** Why a step failed for good, for a person. */
export function explain(trouble: Trouble, step: string): string {
  if (!trouble.notOffered) return trouble.reason;
  return `the service does not offer to ${step} it (${trouble.reason}). The next diff plans without: it says manual, or replaces it where policy.replace allows.`;
}
