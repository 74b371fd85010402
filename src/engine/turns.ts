/** So many things are worked out at once: a plain count, so that one run goes as another. */
const perTurn = 200;

/** Lets the event loop turn now and then while much is worked out: Ctrl-C is heard, and progress is shown. */
export class Turns {
  #left = perTurn;

  /** After one of many things; undefined where it goes on at once. */
  next(): Promise<void> | undefined {
    this.#left -= 1;
    if (this.#left > 0) return undefined;
    this.#left = perTurn;
    return turn();
  }
}

/** Between two passes over so many things, each of which is done at once. */
export function turnAfter(count: number): Promise<void> | undefined {
  return count < perTurn ? undefined : turn();
}

function turn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
