/** A directed graph over string ids: an edge leads to what must come first. */
export type Dependencies = ReadonlyMap<string, readonly string[]>;

/**
 * Strongly connected components in dependency order (what others need comes first); Tarjan's algorithm without
 * recursion, since chains can be as long as an estate. Ids that are only referred to are left out.
 */
export function components(graph: Dependencies): readonly (readonly string[])[] {
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const open: string[] = [];
  const isOpen = new Set<string>();
  const found: string[][] = [];

  for (const root of graph.keys()) {
    if (index.has(root)) continue;
    const calls: { id: string; next: number }[] = [{ id: root, next: 0 }];
    while (calls.length > 0) {
      const call = calls.at(-1);
      if (call === undefined) break;
      const { id } = call;
      if (call.next === 0) {
        index.set(id, index.size);
        low.set(id, index.get(id) ?? 0);
        open.push(id);
        isOpen.add(id);
      }
      const edges = graph.get(id) ?? [];
      let descended = false;
      while (call.next < edges.length) {
        const to = edges[call.next] ?? "";
        call.next += 1;
        if (!graph.has(to)) continue;
        if (!index.has(to)) {
          calls.push({ id: to, next: 0 });
          descended = true;
          break;
        }
        if (isOpen.has(to)) low.set(id, Math.min(low.get(id) ?? 0, index.get(to) ?? 0));
      }
      if (descended) continue;
      if (low.get(id) === index.get(id)) {
        const component: string[] = [];
        for (;;) {
          const member = open.pop();
          if (member === undefined) break;
          isOpen.delete(member);
          component.push(member);
          if (member === id) break;
        }
        found.push(component);
      }
      calls.pop();
      const caller = calls.at(-1);
      if (caller !== undefined) low.set(caller.id, Math.min(low.get(caller.id) ?? 0, low.get(id) ?? 0));
    }
  }
  return found;
}

/** The ids that depend on any of `roots`, directly or through others; the roots themselves are left out. */
export function dependents(graph: Dependencies, roots: Iterable<string>): ReadonlyMap<string, string> {
  const users = new Map<string, string[]>();
  for (const [id, edges] of graph) {
    for (const to of edges) {
      const list = users.get(to);
      if (list === undefined) users.set(to, [id]);
      else list.push(id);
    }
  }
  const because = new Map<string, string>();
  const seen = new Set(roots);
  const queue = [...seen];
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    for (const user of users.get(id) ?? []) {
      if (seen.has(user)) continue;
      seen.add(user);
      because.set(user, id);
      queue.push(user);
    }
  }
  return because;
}

/**
 * The graph without the edges inside circles, each edge once: somebody in a circle has to go first. Edges that are firm
 * hold inside circles too, unless they make one by themselves.
 */
export function acyclic(
  graph: Dependencies,
  firm: Dependencies = new Map(),
): readonly (readonly [string, readonly string[]])[] {
  const held = firm.size === 0 ? undefined : new Map(acyclic(firm));
  return components(graph).flatMap((circle) => {
    const together = new Set(circle);
    return circle.map((id): [string, string[]] => {
      const stays = new Set(held?.get(id));
      return [
        id,
        [...new Set(graph.get(id) ?? [])].filter((other) => !together.has(other) || stays.has(other)),
      ];
    });
  });
}

/** Whether one waits for the other, by way of others as well. */
export function leadsTo(from: string, to: string, graph: Dependencies): boolean {
  const seen = new Set([from]);
  for (const id of seen) {
    if (id === to) return true;
    for (const other of graph.get(id) ?? []) seen.add(other);
  }
  return false;
}
