/** Version 2 keeps what was abandoned by kind, then by source URN: two kinds may be laid over one object. */
export function abandonedFrom1(file: unknown): unknown {
  const { objects } = file as { readonly objects?: unknown };
  const byKind = new Map<string, [string, unknown][]>();
  for (const [source, entry] of Object.entries(objects ?? {})) {
    const { kind, ...left } = (entry ?? {}) as { readonly kind?: unknown };
    // Without its kind nobody knows what is not to be touched: the file stays as it is, and its shape is refused.
    if (typeof kind !== "string") return file;
    const entries = byKind.get(kind) ?? [];
    entries.push([source, left]);
    byKind.set(kind, entries);
  }
  const nested = [...byKind].map(([kind, entries]) => [kind, Object.fromEntries(entries)] as const);
  return { ...(file as object), format: 2, objects: Object.fromEntries(nested) };
}
