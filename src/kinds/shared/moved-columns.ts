import type { JsonObject } from "../../model/json.ts";
import { fromEntries } from "../../model/json.ts";

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
    // What a row has beside its columns is called so, which no column is; a `*` is not about that.
    if (name.startsWith("(")) return false;
    return !this.#computed.test(name) && this.#patterns.some((pattern) => pattern.test(name));
  }

  /** Of a record what stands in the other columns, but for what the server computes. */
  without(attributes: JsonObject): JsonObject {
    return fromEntries(
      Object.entries(attributes).filter(
        ([name, value]) => value !== null && !this.#computed.test(name) && !this.has(name),
      ),
    );
  }
}
