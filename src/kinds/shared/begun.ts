/** Something that is read before somebody asks for it, once. Its failure is thrown to whoever takes it. */
export class Begun<T> {
  readonly #read: () => Promise<T>;
  #reading: Promise<T> | undefined;
  #isTaken = false;

  constructor(read: () => Promise<T>) {
    this.#read = read;
  }

  begin(): void {
    if (this.#reading !== undefined || this.#isTaken) return;
    this.#reading = this.#read();
    this.#reading.catch(() => undefined);
  }

  /** Undefined when it was not begun, or was taken before: what comes back later is read anew. */
  take(): Promise<T> | undefined {
    const reading = this.#reading;
    this.#reading = undefined;
    this.#isTaken = true;
    return reading;
  }
}
