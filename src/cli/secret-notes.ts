import type { Diagnostic } from "../model/diagnostic.ts";
import type { Plan } from "../model/plan.ts";
import { isTooShort } from "../service/index.ts";

/** Of what signs in: what a person should know before anything is sent. */
export function secretNotes(plan: Plan): readonly Diagnostic[] {
  return [...tooShort(plan), ...withBlanks(plan)];
}

/**
 * `echo` and editors put a line break behind what is kept as a secret, and nobody sees it. It is sent all the same: there may be one
 * that has it.
 */
function withBlanks({ source, target }: Plan): readonly Diagnostic[] {
  return [source, target].flatMap(({ name, realm, clientId, clientSecret, masterData }) => {
    const texts: readonly (readonly [string, string])[] = [
      ["realm", realm],
      ["clientId", clientId],
      ["clientSecret", clientSecret],
      ["masterData.username", masterData?.username ?? ""],
      ["masterData.password", masterData?.password ?? ""],
    ];
    return texts
      .filter(([, text]) => text.trim() !== text)
      .map(([what, text]): Diagnostic => ({
        severity: "warning",
        code: "blank-in-secret",
        summary: `${name}: ${what} ${endOf(text)}, and is sent with it`,
        suggestion: "Where it is not meant to be there, take it out of the variable: printf %s writes none.",
      }));
  });
}

function endOf(text: string): string {
  const [at, mark] = /\s$/.test(text) ? ["ends", text.at(-1)] : ["begins", text.at(0)];
  return `${at} with ${/[\r\n]/.test(mark ?? "") ? "a line break" : "a blank"}`;
}

/** Secrets that cannot be hidden wherever they stand. */
function tooShort({ source, target }: Plan): readonly Diagnostic[] {
  return [source, target].flatMap(({ name, clientSecret, masterData }) => {
    const found = [
      isTooShort(clientSecret) ? ["client secret"] : [],
      masterData !== undefined && isTooShort(masterData.password) ? ["password of the master data"] : [],
    ].flat();
    return found.map((what): Diagnostic => ({
      severity: "warning",
      code: "secret-too-short",
      summary: `${name}: the ${what} has fewer than four characters: to hide it everywhere would hide words and numbers, so it is hidden only where it is called a secret`,
      suggestion: "Have a longer one made; nobody has to guess long for this one either.",
    }));
  });
}
