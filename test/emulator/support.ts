import { expect, onTestFinished } from "vitest";
import { type Emulator, type EmulatorOptions, startEmulator, type Tenant } from "../../src/emulator/index.ts";
import { isArray, isObject, type Json, type JsonObject } from "../../src/emulator/json.ts";
import * as seed from "../../src/emulator/seed.ts";
import type { Urn } from "../../src/model/urn.ts";

/** Plain fetch against the emulator: never the project's own client, so that the two check each other. */

export interface Reply {
  readonly status: number;
  readonly body: Json;
  readonly headers: Headers;
}

export interface Api {
  get(path: string): Promise<Reply>;
  post(path: string, body?: Json): Promise<Reply>;
  patch(path: string, body: Json): Promise<Reply>;
  delete(path: string): Promise<Reply>;
  send(method: string, path: string, init?: RequestInit): Promise<Reply>;
}

export const catalog = "/api/catalog/v1";
export const quality = "/api/data-quality/v1";
export const processing = "/api/processing/v1";

export function tokenRequest(
  emulator: Emulator,
  tenant: string,
  form: Record<string, string> = {},
): Promise<Response> {
  return fetch(`${emulator.baseUrl(tenant)}/auth/realms/${tenant}/protocol/openid-connect/token`, {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "client_credentials",
      client_id: `${tenant}-client`,
      client_secret: `${tenant}-secret`,
      ...form,
    }),
  });
}

export async function signIn(emulator: Emulator, tenant = "dev"): Promise<Api> {
  const response = await tokenRequest(emulator, tenant);
  const token = textAt((await response.json()) as Json, "access_token");
  const send = async (method: string, path: string, init: RequestInit = {}): Promise<Reply> => {
    const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
    const answer = await fetch(`${emulator.baseUrl(tenant)}${path}`, { method, headers, ...init });
    const text = await answer.text();
    return {
      status: answer.status,
      body: text === "" ? null : (JSON.parse(text) as Json),
      headers: answer.headers,
    };
  };
  return {
    send,
    get: (path) => send("GET", path),
    post: (path, body) => send("POST", path, body === undefined ? {} : { body: JSON.stringify(body) }),
    patch: (path, body) => send("PATCH", path, { body: JSON.stringify(body) }),
    delete: (path) => send("DELETE", path),
  };
}

/** The value at a path such as `data.0.urn`. */
export function at(value: Json | undefined, path: string): Json | undefined {
  let found = value;
  for (const step of path.split(".")) {
    if (isArray(found)) found = found[Number(step)];
    else found = isObject(found) ? found[step] : undefined;
  }
  return found;
}

export function textAt(value: Json | undefined, path: string): string {
  const found = at(value, path);
  if (typeof found !== "string") throw new Error(`There is no text at ${path} in ${JSON.stringify(value)}`);
  return found;
}

export function urnAt(value: Json | undefined, path = "urn"): Urn {
  return textAt(value, path) as Urn;
}

/** A refusal is a problem-details body; `pointer` must be among its errors. */
export function expectRefusal(reply: Reply, status: number, pointer?: string): void {
  expect(reply.body).toMatchObject({
    type: expect.any(String),
    title: expect.any(String),
    detail: expect.any(String),
  });
  expect(reply.status).toBe(status);
  if (pointer === undefined) return;
  const errors = at(reply.body, "errors");
  const pointers = isArray(errors) ? errors.map((error) => at(error, "pointer")) : [];
  expect(pointers).toContain(pointer);
}

export interface World {
  readonly emulator: Emulator;
  readonly dev: Tenant;
  readonly api: Api;
}

/** Closed at the end of the test. */
export async function startWorld(options: EmulatorOptions = {}): Promise<World> {
  const emulator = await startEmulator(options);
  onTestFinished(() => emulator.close());
  return { emulator, dev: emulator.tenant("dev"), api: await signIn(emulator) };
}

export interface Estate {
  readonly source: Urn;
  readonly connection: Urn;
  readonly folder: Urn;
  readonly location: Urn;
  readonly customers: seed.SeededItem;
  readonly orders: seed.SeededItem;
  readonly group: Urn;
  readonly detectionRule: Urn;
  readonly dimension: ReturnType<typeof seed.seedDimension>;
  readonly otherDimension: ReturnType<typeof seed.seedDimension>;
  readonly transformation: Urn;
}

/** A small estate: two items of one source, with what rules and monitors refer to. */
export function seedEstate(tenant: Tenant): Estate {
  const source = seed.seedSource(tenant, { name: "Warehouse" }).urn;
  const location = seed.seedLocation(tenant, { name: "SALES", parentUrn: source }).urn;
  const connection = seed.seedConnection(tenant, { name: "main", sourceUrn: source }).urn;
  const item = (name: string, attributes: readonly string[]): seed.SeededItem =>
    seed.seedCatalogItem(tenant, {
      name,
      parentUrn: location,
      connectionUrn: connection,
      originPath: `SALES/${name}`,
      attributes,
    });
  const dimension = (name: string): ReturnType<typeof seed.seedDimension> =>
    seed.seedDimension(tenant, {
      name,
      results: [
        { name: "Good", passedOverallResult: true },
        { name: "Bad", passedOverallResult: false },
      ],
    });
  return {
    source,
    location,
    connection,
    folder: seed.seedFolder(tenant, { name: "Views", parentUrn: source }).urn,
    customers: item("customers", ["id", "email"]),
    orders: item("orders", ["customer_id", "total"]),
    group: seed.seedGroup(tenant, { name: "Stewards" }).urn,
    detectionRule: seed.seedDetectionRule(tenant, { name: "Email detection" }).urn,
    dimension: dimension("Validity"),
    otherDimension: dimension("Accuracy"),
    transformation: seed.seedTransformation(tenant, { name: "Trim", inputDataType: "STRING" }).urn,
  };
}

export function resultOf(estate: Estate, index = 1): Urn {
  const result = estate.dimension.results[index];
  if (result === undefined) throw new Error("The dimension has no such result.");
  return result.urn;
}

export function attributeOf(item: seed.SeededItem, name: string): Urn {
  const attribute = item.attributes[name];
  if (attribute === undefined) throw new Error(`The item has no attribute ${name}.`);
  return attribute.urn;
}

/** A rule body for the interface: new_ keys, one plain input, one parameter. */
export function ruleBody(estate: Estate, name = "Email is valid"): JsonObject {
  return {
    name,
    inputGroups: {
      [`new_main`]: { joined: false, inputs: { new_email: { name: "email", dataType: "STRING" } } },
    },
    parameters: { new_pattern: { name: "pattern", dataType: "STRING" } },
    implementation: {
      dqDimensionUrn: estate.dimension.urn,
      conditions: { new_bad: { stringExpression: "email is null", resultUrn: resultOf(estate) } },
    },
  };
}

export function seedEmailRule(
  tenant: Tenant,
  estate: Estate,
  name = "Email is valid",
): ReturnType<typeof seed.seedRule> {
  return seed.seedRule(tenant, {
    name,
    inputGroups: { main: { joined: false, inputs: { email: { name: "email", dataType: "STRING" } } } },
    parameters: { pattern: { name: "pattern", dataType: "STRING" } },
    implementation: {
      dqDimensionUrn: estate.dimension.urn,
      conditions: { bad: { stringExpression: "email is null", resultUrn: resultOf(estate) } },
    },
  });
}
