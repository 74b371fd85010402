import type { Mutant } from "./mutant.ts";

/** In the client. */
export const inService: readonly Mutant[] = [
  {
    name: "write-repeated",
    what: "a write whose answer was lost is sent again at once",
    file: "src/service/retry.ts",
    from: '  if (care === "write" && error.arrived !== "no") return "never";\n',
    to: "",
  },
  {
    name: "reset-is-refused",
    what: "a connection that broke off counts as never made",
    file: "src/service/network-failure.ts",
    from: '    arrived: beforeSending(root) ? "no" : "maybe",',
    to: '    arrived: "no",',
  },
  {
    name: "page-missing",
    what: "a list that ends before its own total is taken for whole",
    file: "src/service/pages.ts",
    from: "      if (stated !== undefined && received < stated)",
    to: "      if (stated !== undefined && received < stated && received > stated)",
  },
  {
    name: "secret-told",
    what: "what a service echoes is not masked",
    file: "src/service/cleaner.ts",
    from: "    return shorten(display(this.#mask(text)), width);",
    to: "    return shorten(display(text), width);",
  },
];
