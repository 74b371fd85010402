import { EngineError } from "../engine/progress.ts";
import { display } from "../model/display.ts";
import type { JsonObject } from "../model/json.ts";
import { child, isArray, isObject, own, text } from "../model/json.ts";
import { parseJson } from "../model/json-text.ts";
import type { Plan } from "../model/plan.ts";
import { isUrn } from "../model/urn.ts";
import { didYouMean } from "../plan/nearest.ts";
import type { ReadClient } from "../service/index.ts";
import { ServiceError } from "../service/index.ts";

/** A flow that a plan asks for, or a person. */
export type PlannedFlow = NonNullable<Plan["flows"]>["before"][number];

export interface Named {
  readonly urn: string;
  readonly name: string;
}

/** A configuration with what it does, as far as its text says so (document 1). */
export interface FlowConfiguration extends Named {
  readonly description: string;
  readonly actions: readonly string[];
}

/** A flow that can be started. */
export interface ResolvedFlow {
  /** Names it in the journal: configuration, connection and paths. */
  readonly key: string;
  /** `flow "Import" on "prod-wh"`. */
  readonly label: string;
  readonly run: PlannedFlow["run"];
  readonly body: JsonObject;
}

export async function flowConfigurations(client: ReadClient): Promise<readonly FlowConfiguration[]> {
  const found: FlowConfiguration[] = [];
  for await (const { items } of client.catalog.documentationFlowConfigurations())
    for (const body of items)
      found.push({
        urn: text(body, "urn") ?? "",
        name: text(body, "name") ?? "",
        description: text(body, "description") ?? "",
        actions: actionsIn(text(body, "configuration")),
      });
  return found;
}

/** `configuration` is JSON text with an actions array; anything else says nothing. */
function actionsIn(configuration: string | undefined): readonly string[] {
  try {
    const parsed = parseJson(configuration ?? "");
    const actions = isObject(parsed) ? own(parsed, "actions") : undefined;
    return (isArray(actions) ? actions : []).filter((action) => typeof action === "string");
  } catch {
    return [];
  }
}

/** Connections have no list of their own: as generic entities, else as items name them. */
export async function flowConnections(client: ReadClient): Promise<readonly Named[]> {
  const listed = await orNone(async () => {
    const found: Named[] = [];
    const entities = client.catalog.entities({ entityType: "connection", properties: ["name"] });
    for await (const { items } of entities) for (const body of items) found.push(namedEntity(body));
    return found;
  });
  if (listed !== undefined && listed.length > 0) return listed;
  const urns = new Set<string>();
  for await (const { items } of client.catalog.catalogItems())
    for (const item of items) {
      const connection = child(item, "connection");
      const urn = connection === undefined ? undefined : text(connection, "urn");
      if (urn !== undefined) urns.add(urn);
    }
  return Promise.all(
    [...urns].map(async (urn) => {
      const body = await orNone(async () => client.catalog.entity(urn, { properties: ["name"] }));
      return body === undefined ? { urn, name: "" } : namedEntity(body);
    }),
  );
}

/** What a service refuses to list is looked for elsewhere; what fails any request is thrown. */
async function orNone<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    const isRefusal =
      error instanceof ServiceError &&
      ["refused", "not-found", "permission", "unreadable"].includes(error.kind);
    if (isRefusal) return undefined;
    throw error;
  }
}

function namedEntity(body: JsonObject): Named {
  return { urn: text(body, "urn") ?? "", name: text(child(body, "properties") ?? {}, "name") ?? "" };
}

/** Every flow, or an error that names all that are not to be found: before any of them is started. */
export async function resolveFlows(
  client: ReadClient,
  flows: readonly PlannedFlow[],
): Promise<readonly ResolvedFlow[]> {
  if (flows.length === 0) return [];
  const [configurations, connections] = await Promise.all([
    flowConfigurations(client),
    flows.every(({ connection }) => isUrn(connection)) ? [] : flowConnections(client),
  ]);
  const problems: string[] = [];
  const resolved = flows.flatMap((flow): ResolvedFlow[] => {
    const configuration = find("documentation flow", flow.configuration, configurations, problems);
    const connection = find("connection", flow.connection, connections, problems);
    return configuration === undefined || connection === undefined
      ? []
      : [resolvedOf(flow, configuration, connection)];
  });
  const [first, ...rest] = problems;
  if (first !== undefined)
    throw new EngineError(
      "selection",
      first,
      "Write the names as the target has them, or URNs: `ferry flow PLAN list`.",
      rest,
    );
  return resolved;
}

function resolvedOf(flow: PlannedFlow, configuration: Named, connection: Named): ResolvedFlow {
  const { paths, run } = flow;
  const on = paths === undefined ? "" : `, ${paths.map(display).join(", ")}`;
  return {
    key: [configuration.urn, connection.urn, ...(paths ?? [])].join(" "),
    label: `flow "${display(configuration.name)}" on "${display(connection.name)}"${on}`,
    run,
    body: {
      configurationUrn: configuration.urn,
      connectionUrn: connection.urn,
      ...(paths === undefined ? {} : { paths }),
    },
  };
}

function find(what: string, wanted: string, known: readonly Named[], problems: string[]): Named | undefined {
  const fitting = known.filter(({ urn, name }) => urn === wanted || name === wanted);
  const [first] = fitting;
  if (fitting.length === 1) return first;
  // No list has to show what a URN names.
  if (first === undefined && isUrn(wanted)) return { urn: wanted, name: wanted };
  const names = known.map(({ name }) => name).filter((name) => name !== "");
  const hint =
    didYouMean(wanted, names) ??
    (names.length === 0 ? "none is to be seen there" : `there are ${names.join(", ")}`);
  problems.push(
    first === undefined
      ? `the target has no ${what} "${display(wanted)}" (${display(hint)})`
      : `${fitting.length} of the target's ${what}s are called "${display(wanted)}": name it by its URN (${fitting.map(({ urn }) => display(urn)).join(", ")})`,
  );
  return undefined;
}
