/** Columns that a plan names, by pattern: `*` stands for anything. What a server computes is never among them. */
export class MovedColumns {
  readonly #patterns: readonly RegExp[];
  readonly #computed: RegExp;

  constructor(columns: readonly string[], computed: RegExp) {
    this.#computed = computed;
    this.#patterns = columns.map(
      (column) =>
        new RegExp(
          `^${column
            .split("*")
            .map((part) => part.replaceAll(/[\\^$.|?+()[\]{}]/g, "\\$&"))
            .join(".*")}$`,
          "su",
        ),
    );
  }

  has(name: string): boolean {
    return !this.#computed.test(name) && this.#patterns.some((pattern) => pattern.test(name));
  }
}
