import { EngineError } from "../engine/progress.ts";
import type { Io } from "./io.ts";

/**
 * Asks one question after the other, where what is answered counts once all of it is. Whoever leaves in between has decided
 * nothing; what was answered until then would be missed, and that is said.
 */
export function inTurn(io: Io, end: string): Io["ask"] {
  let answered = 0;
  return async (question) => {
    try {
      const answer = await io.ask(question);
      if (answer.trim() !== "") answered += 1;
      return answer;
    } catch (error) {
      if (answered === 0 || !(error instanceof Error && error.name === "AbortError")) throw error;
      throw new EngineError(
        "interrupted",
        "interrupted in the middle of the questions; what was answered before is not kept, and nothing was done",
        `Run the same command again. ${end}`,
      );
    }
  };
}
