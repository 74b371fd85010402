import type { LogEntry, Tenant } from "../../../src/emulator/index.ts";
import type { Call } from "../path/calls.ts";

export function isToken(route: string): boolean {
  return route.endsWith("/openid-connect/token");
}

/** The same for all pages of a list, and for nothing else. */
export function listOf({ tenant, method, path, query, body }: LogEntry): string {
  const { after: _after, ...criteria } = query;
  return JSON.stringify([tenant, method, path, criteria, body]);
}

/** The log of a run as the critical path needs it; `target` is what it made of it, and knows the names. */
export function callsOf(entries: readonly LogEntry[], target: Tenant): readonly Call[] {
  const nameOf = (urn: string): string | undefined => {
    const found =
      target.terms.get(urn) ??
      target.rules.get(urn) ??
      target.monitors.get(urn) ??
      target.dashboards.get(urn);
    const { published, draft } = found ?? {};
    const name = (published ?? draft)?.["name"];
    return typeof name === "string" ? name : undefined;
  };
  return entries.map((entry) => {
    const { tenant, method, path, route, query, body } = entry;
    const creates = method === "POST" && creating.test(route);
    const text = `${path} ${JSON.stringify(query)} ${JSON.stringify(body ?? null)}`;
    const urns = new Set(text.match(/urn:[\w:-]+/g));
    const writes = method !== "GET" && !route.endsWith("/filter") && !isToken(route);
    return {
      environment: tenant,
      route,
      writes,
      asks: JSON.stringify([tenant, method, path, query, body]),
      list: listOf(entry),
      makes: creates ? namesIn(body) : [],
      needs: [...urns].flatMap((urn) => nameOf(urn) ?? []),
      byId: !writes && (urns.size > 0 || route.endsWith("/filter")),
    };
  });
}

/** Routes that create one object or many (documents 1 and 2). */
const creating = /\/(terms|terms\/bulk|rules|dq-monitors|batch\/create|dq-dashboards)$/;

/** The objects of a body: it is one, or a list of them, or has a list of them in one field. */
function namesIn(body: unknown): readonly string[] {
  if (Array.isArray(body)) return body.flatMap(namesIn);
  if (typeof body !== "object" || body === null) return [];
  if ("name" in body && typeof body.name === "string") return [body.name];
  return Object.values(body)
    .filter((field) => typeof field === "object")
    .flatMap(namesIn);
}
