import { ServiceError } from "../../service/index.ts";
import type { ReadClient } from "../../service/index.ts";
import type { HeardRead, Kept, Side } from "./recording.ts";

/** The clients have limits of their own; beyond them a list that waits takes memory. */
const atOnce = 64;

/**
 * Asks all that was asked before, and tells whether every answer is the same, byte for byte. Pages of a list are asked for
 * one after the other, as a list is read: the next one is known only as long as those before it are the same. What the
 * comparison has asked is asked behind all that it compares. Nothing more is asked as soon as one answer is another one;
 * what came until then is in `kept`.
 */
export async function isHeardAgain(
  reads: readonly HeardRead[],
  clients: Readonly<Record<Side, ReadClient>>,
  kept: Kept,
): Promise<boolean> {
  let isSame = true;
  const inOrder = async (list: readonly HeardRead[]): Promise<void> => {
    for (const read of list) {
      if (!isSame) return;
      try {
        const answer = await clients[read.side].hear(read);
        kept.keep(read.side, read, answer);
        if (answer.status !== read.status || answer.print !== read.print) isSame = false;
      } catch (error) {
        isSame = false;
        // Whoever asks for it next is told what it is.
        if (!(error instanceof ServiceError)) throw error;
      }
    }
  };
  const lists = Map.groupBy(reads, listOf);
  for (const isLater of [false, true]) {
    // One iterator for all of them: each takes the next list that nobody has taken.
    const now = lists.values().filter(([first]) => (first?.isLater === true) === isLater);
    const some = Array.from({ length: atOnce }, async () => {
      for (const list of now) await inOrder(list);
    });
    await Promise.all(some);
  }
  return isSame;
}

/** Pages of one list differ in nothing but the cursor (document 1, Conventions). */
function listOf({ side, method, path, query, body = "", isLater }: HeardRead): string {
  const wanted = new URLSearchParams(query);
  wanted.delete("after");
  return [side, isLater, method, path, wanted, body].join(" ");
}
