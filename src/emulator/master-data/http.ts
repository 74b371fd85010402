import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { type Context, Hono } from "hono";
import type { Answer } from "../http/call.ts";
import type { RequestLog } from "../http/log.ts";
import type { Exchange, Pipeline } from "../http/pipeline.ts";
import type { Bindings } from "../http/server.ts";
import { socketWire } from "../http/transfer.ts";
import { parseJson, type Json } from "../json.ts";
import { activityRoutes } from "./activity.ts";
import type { Route } from "./call.ts";
import { directoryRoutes } from "./directory.ts";
import { historyRoutes } from "./history.ts";
import { identifyRoutes } from "./identify.ts";
import { instanceWriteRoutes } from "./instance-writes.ts";
import type { MasterData, User } from "./master-data.ts";
import { masterWriteRoutes } from "./master-writes.ts";
import { overrideRoutes } from "./overrides.ts";
import { badRequest, mayNot, mustSignIn, Refusal, wrongUrl } from "./problems.ts";
import { readRoutes, recordRoutes } from "./reads.ts";

/** The first that fits is taken: what stands below a record comes before the records themselves. */
const allRoutes: readonly Route[] = [
  ...directoryRoutes,
  ...readRoutes,
  ...identifyRoutes,
  ...historyRoutes,
  ...activityRoutes,
  ...overrideRoutes,
  ...instanceWriteRoutes,
  ...masterWriteRoutes,
  ...recordRoutes,
];

export interface MasterDataParts {
  readonly servers: ReadonlyMap<string, MasterData>;
  readonly log: RequestLog;
  readonly pipeline: Pipeline;
  readonly clock: () => number;
  /** With the prefix, without the name of the environment. */
  readonly url: () => string;
}

type Bound = Context<{ Bindings: Bindings }>;

/** A server for each environment, `/<environment>` being `{mdm_base}`; `prefix` stands before that. */
export function createMasterDataApp(parts: MasterDataParts, prefix = ""): Hono<{ Bindings: Bindings }> {
  const app = new Hono<{ Bindings: Bindings }>();
  for (const route of allRoutes) {
    app.on(route.method, `${prefix}/:environment${route.path}`, (c) => serveRoute(parts, prefix, c, route));
  }
  app.get(`${prefix}/:environment/v3/api-docs`, (c) => serveDescription(parts, prefix, c));
  app.all("*", (c) =>
    serve(parts, prefix, c, "unknown", false, () => {
      throw wrongUrl(`There is no ${c.req.method} ${c.req.path}.`);
    }),
  );
  return app;
}

type Run = (
  data: MasterData,
  user: string,
  body: string,
  tampering: Parameters<Exchange["run"]>[1],
) => Answer;

async function serve(
  parts: MasterDataParts,
  prefix: string,
  c: Bound,
  route: string,
  mutates: boolean,
  run: Run,
  layer?: Route["layer"],
): Promise<Response> {
  const wire = "wire" in c.env ? c.env.wire : socketWire(c.env.incoming, c.env.outgoing);
  const [, name = "", ...rest] = c.req.path.slice(prefix.length).split("/");
  const data = parts.servers.get(decoded(name));
  if (data !== undefined) data.requests += 1;
  const entry = parts.log.open({
    at: parts.clock(),
    tenant: data?.name ?? name,
    method: c.req.method,
    path: decoded(`/${rest.join("/")}`),
    route,
    query: c.req.query(),
  });
  let user = "";
  await parts.pipeline.handle({
    entry,
    wire,
    mutates,
    requestNumber: data?.requests ?? 0,
    admit: (body) => {
      entry.body = body === "" ? undefined : (parsed(body) ?? body);
      if (data === undefined) throw wrongUrl("There is no such server.");
      if (data.quirks.signIn === "redirect") return;
      user = admitted(data, c.req.header("authorization"), mutates, layer);
    },
    run: (body, tampering) => {
      if (data === undefined) throw wrongUrl("There is no such server.");
      // How a wrong configuration of the sign-in shows.
      if (data.quirks.signIn === "redirect")
        return { status: 302, headers: { Location: `${parts.url()}/${data.name}/login` } };
      // A write is committed as a whole or lost as a whole.
      if (tampering.commitLimit !== undefined) return { status: 503 };
      return data.whileServing(() => run(data, user, body, tampering));
    },
  });
  return RESPONSE_ALREADY_SENT;
}

function serveRoute(parts: MasterDataParts, prefix: string, c: Bound, route: Route): Promise<Response> {
  const run: Run = (data, user, body, tampering) => {
    const params = c.req.param() as Record<string, string>;
    const query = new URL(c.req.url).searchParams;
    const json = body === "" ? undefined : bodyOf(body, c.req.header("content-type") ?? "");
    const baseUrl = `${parts.url()}/${data.name}`;
    return route.handle({ data, params, query, body: json, baseUrl, user, tampering });
  };
  return serve(parts, prefix, c, `${route.method} ${route.path}`, route.mutates, run, route.layer);
}

/** Paths and methods only. */
function serveDescription(parts: MasterDataParts, prefix: string, c: Bound): Promise<Response> {
  const paths: Record<string, Record<string, Json>> = {};
  for (const { method, path } of allRoutes) {
    const template = path.replaceAll(/:(\w+)/g, "{$1}");
    paths[template] = { ...paths[template], [method.toLowerCase()]: {} };
  }
  const body = { openapi: "3.0.1", info: { title: "MDM REST API", version: "1.0" }, paths };
  return serve(parts, prefix, c, "GET /v3/api-docs", false, () => ({ status: 200, body }));
}

/** Basic authentication only (document 3, "Authentication"); the user's name. */
function admitted(
  data: MasterData,
  header: string | undefined,
  mutates: boolean,
  layer: Route["layer"] | undefined,
): string {
  const encoded = /^Basic\s+([\w+/=]+)$/i.exec(header ?? "")?.[1];
  const said = encoded === undefined ? "" : Buffer.from(encoded, "base64").toString("utf8");
  const colon = said.indexOf(":");
  const name = said.slice(0, Math.max(colon, 0));
  const user = data.users.get(name);
  if (user === undefined || user.password !== said.slice(colon + 1)) throw mustSignIn();
  if (layer !== undefined && !mayDo(user, mutates, layer))
    throw mayNot(`${name} may not ${mutates ? "change" : "read"} the ${layer} layer.`);
  if (mutates && data.quirks.rwmode === "RO") throw mayNot("The server is read-only.");
  return name;
}

function mayDo(user: User, mutates: boolean, layer: Route["layer"]): boolean {
  return (mutates ? user.write : user.read)[layer];
}

function bodyOf(body: string, contentType: string): Json {
  if (!/^application\/json\b/i.test(contentType)) {
    throw new Refusal(415, "MediaTypeException", "The body must be application/json.");
  }
  const found = parsed(body);
  if (found === undefined) throw badRequest("The body is not JSON.");
  return found;
}

function parsed(body: string): Json | undefined {
  try {
    return parseJson(body);
  } catch {
    return undefined;
  }
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
