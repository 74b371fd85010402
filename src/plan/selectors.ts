import { isMap } from "./maps.ts";

/** `rules:Email*`, `Email*` or a URN, as `--include` takes it and as a plan may say it. */
export interface ShortSelector {
  readonly kind?: string;
  readonly name?: string;
  readonly urns?: readonly string[];
}

export function selectorFrom(text: string): ShortSelector {
  if (text.startsWith("urn:")) return { urns: [text] };
  const at = text.indexOf(":");
  return at <= 0 ? { name: text } : { kind: text.slice(0, at), name: text.slice(at + 1) };
}

/** A plan's `include` and `exclude` with short selectors written out. */
export function withSelectors(plan: unknown): unknown {
  if (!isMap(plan) || !isMap(plan["select"])) return plan;
  const select: Record<string, unknown> = { ...plan["select"] };
  for (const list of ["include", "exclude"]) {
    const selectors = select[list];
    if (!Array.isArray(selectors)) continue;
    select[list] = selectors.map((one: unknown) =>
      typeof one === "string" && one !== "" ? selectorFrom(one) : one,
    );
  }
  return { ...plan, select };
}
