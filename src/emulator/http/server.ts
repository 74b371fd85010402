import type { HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { type Context, Hono } from "hono";
import { type Json, isObject, parseJson } from "../json.ts";
import { forbidden, invalid, notFound, Problem } from "../problem.ts";
import { allRoutes } from "../routes.ts";
import type { Tenant } from "../tenant.ts";
import type { Answer, Route } from "./call.ts";
import type { RequestLog } from "./log.ts";
import type { Exchange, Pipeline } from "./pipeline.ts";
import { Query } from "./query.ts";
import type { Tokens } from "./tokens.ts";
import { socketWire } from "./transfer.ts";
import type { Wire } from "./wire.ts";

interface ServerParts {
  readonly tenants: ReadonlyMap<string, Tenant>;
  readonly log: RequestLog;
  readonly pipeline: Pipeline;
  readonly tokens: Tokens;
  readonly clock: () => number;
  readonly url: () => string;
}

/** A socket of node, or a wire that somebody made. */
export type Bindings = HttpBindings | { readonly wire: Wire };
type Bound = Context<{ Bindings: Bindings & { readonly parts: ServerParts } }>;

/** A Hono, as far as those go who have a request for it. */
export interface App {
  fetch(request: Request, env: Bindings): Response | Promise<Response>;
}

const tokenPath = "/auth/realms/:realm/protocol/openid-connect/token";

/** Binds every route under `/:tenant`; not listening yet. */
export function createApp(parts: ServerParts): App {
  return { fetch: (request, env) => router().fetch(request, { ...env, parts }) };
}

let made: Hono<{ Bindings: Bound["env"] }> | undefined;

/** Compiled once, whatever emulators there are: each request brings the parts of its own. */
function router(): Hono<{ Bindings: Bound["env"] }> {
  if (made !== undefined) return made;
  made = new Hono();
  for (const route of allRoutes) made.on(route.method, `/:tenant${route.path}`, (c) => serveRoute(c, route));
  made.post(`/:tenant${tokenPath}`, serveToken);
  made.all("*", serveUnknown);
  return made;
}

type Steps = Pick<Exchange, "mutates" | "admit" | "run">;

async function serve(
  c: Bound,
  route: string,
  steps: (tenant: Tenant | undefined, exchange: Opened) => Steps,
): Promise<Response> {
  const { parts } = c.env;
  const wire = "wire" in c.env ? c.env.wire : socketWire(c.env.incoming, c.env.outgoing);
  const [, name = "", ...rest] = c.req.path.split("/");
  const tenant = parts.tenants.get(decodePath(name));
  if (tenant !== undefined) tenant.requests += 1;
  const entry = parts.log.open({
    at: parts.clock(),
    tenant: tenant?.name ?? name,
    method: c.req.method,
    path: decodePath(`/${rest.join("/")}`),
    route,
    query: c.req.query(),
  });
  const requestNumber = tenant?.requests ?? 0;
  await parts.pipeline.handle({ entry, wire, requestNumber, ...steps(tenant, { entry }) });
  return RESPONSE_ALREADY_SENT;
}

type Opened = Pick<Exchange, "entry">;

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function serveRoute(c: Bound, route: Route): Promise<Response> {
  const { parts } = c.env;
  return serve(c, `${route.method} ${route.path}`, (tenant, { entry }) => ({
    mutates: route.mutates,
    admit: (body) => {
      entry.body = bodyForLog(body);
      if (tenant === undefined) throw notFound("There is no such tenant.");
      // As any address that the service does not know.
      const { absent, absentMethod } = tenant.quirks;
      if (absent.some((path) => entry.path.startsWith(path))) throw nothingAt(c);
      if (absent.some((one) => `${entry.method} ${entry.path}`.startsWith(one)))
        throw absentMethod === 404 ? nothingAt(c) : notAllowed(c);
      const client = parts.tokens.authorize(tenant, c.req.header("authorization"));
      const allowed = client.permissions[route.area][route.mutates ? "write" : "read"];
      if (!allowed)
        throw forbidden(`${client.id} may not ${route.mutates ? "write to" : "read"} ${route.area}.`);
    },
    run: (body, tampering): Answer => {
      if (tenant === undefined) throw notFound("There is no such tenant.");
      const params = c.req.param() as Record<string, string>;
      const [, asked = ""] = /^[^?#]*\?([^#]*)/.exec(c.req.url) ?? [];
      const query = new Query(asked);
      const json = body === "" ? undefined : parseBody(body, c.req.header("content-type") ?? "");
      const baseUrl = `${parts.url()}/${tenant.name}`;
      // Only a batch can be committed in part; anything else is lost whole.
      const isLost = tampering.commitLimit !== undefined && !/\/batch(\/|$)/.test(route.path);
      if (isLost) return { status: 503 };
      // No document gives a write any.
      if (route.mutates) refuseUnknown(tenant, query);
      const answer = tenant.whileServing(() =>
        route.handle({ tenant, params, query, body: json, baseUrl, tampering }),
      );
      refuseUnknown(tenant, query);
      return answer;
    },
  }));
}

function refuseUnknown(tenant: Tenant, { unknown }: Query): void {
  if (unknown === undefined || tenant.quirks.unknownParameters === "ignored") return;
  throw invalid(`There is no parameter ${unknown} here.`);
}

function serveToken(c: Bound): Promise<Response> {
  return serve(c, `POST ${tokenPath}`, (tenant, { entry }) => ({
    mutates: false,
    admit: (body) => {
      entry.body = { client_id: new URLSearchParams(body).get("client_id") };
      if (tenant === undefined) throw notFound("There is no such tenant.");
    },
    run: (body) => {
      if (tenant === undefined) throw notFound("There is no such tenant.");
      const realm = c.req.param("realm") ?? "";
      return c.env.parts.tokens.issue(tenant, realm, c.req.header("content-type") ?? "", body);
    },
  }));
}

function serveUnknown(c: Bound): Promise<Response> {
  return serve(c, "unknown", (_tenant, { entry }) => ({
    mutates: false,
    admit: (body) => {
      entry.body = bodyForLog(body);
    },
    run: () => {
      throw nothingAt(c);
    },
  }));
}

function nothingAt(c: Bound): Problem {
  return notFound(`There is no ${c.req.method} ${c.req.path}.`);
}

function notAllowed(c: Bound): Problem {
  const detail = `${c.req.method} is not allowed at ${c.req.path}.`;
  return new Problem(405, "METHOD_NOT_ALLOWED", "Method Not Allowed", detail);
}

/** Request bodies are JSON, Content-Type application/json (document 1, "Endpoints"). */
function parseBody(body: string, contentType: string): Json {
  if (!/^application\/json\b/i.test(contentType)) {
    const detail = `The body must be application/json, not ${contentType === "" ? "of no type" : contentType}.`;
    throw new Problem(415, "UNSUPPORTED_MEDIA_TYPE", "Unsupported Media Type", detail);
  }
  try {
    return parseJson(body);
  } catch (error) {
    throw invalid(`The body is not JSON: ${error instanceof Error ? error.message : String(error)}.`, "#");
  }
}

function bodyForLog(body: string): Json | undefined {
  if (body === "") return undefined;
  try {
    const parsed: unknown = JSON.parse(body);
    return isObject(parsed) ? parsed : body;
  } catch {
    return body;
  }
}
