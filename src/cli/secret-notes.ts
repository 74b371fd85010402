import type { Diagnostic } from "../model/diagnostic.ts";
import type { Plan } from "../model/plan.ts";
import { isTooShort } from "../service/index.ts";

/** Secrets that cannot be hidden wherever they stand: whoever has them is told before anything is sent. */
export function secretNotes({ source, target }: Plan): readonly Diagnostic[] {
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
