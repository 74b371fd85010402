import { display } from "../../model/display.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { MasterDataReadClient, RecordEntity, RecordQuery } from "../../service/index.ts";
import { ServiceError } from "../../service/index.ts";
import type { Unusable } from "../kind.ts";
import { addressPieces } from "./address-pieces.ts";
import type { ColumnTypes } from "./column-fit.ts";
import { isAbsent, isAnswered, isRefused } from "./answers.ts";
import { someOf } from "../../model/some-of.ts";

/** What a plan asks of an entity, to be found before anything is written. */
export interface Needs {
  readonly of: RecordEntity;
  /** As the plan writes them: each has to fit a column. */
  readonly columns: readonly { readonly written: string; readonly fits: (name: string) => boolean }[];
  readonly relationships: readonly string[];
  /** What will be asked of lists there. */
  readonly query: RecordQuery;
  readonly isWritten: boolean;
}

/** What is known of the columns of an entity; undefined where the server does not tell in a form that is known. */
export interface Place {
  readonly columns: ColumnTypes;
}

const correct = "under records.masterData in the plan";

/** Whether a server has what the plan names. Reads a record at most. */
export async function placeOf(client: MasterDataReadClient, needs: Needs): Promise<Place | Unusable> {
  const { records, environment } = client;
  const { of, isWritten } = needs;
  if (isWritten && !(await records.directory()).isWritable)
    return {
      unusable: `${environment.name} takes no write (rwmode RO)`,
      suggestion: "Open it for writing, or name another server.",
    };
  const missing =
    of.layer === "instance" ? await missingInstance(client, of.entity) : await missingMaster(client, of);
  if (missing !== undefined) return missing;
  try {
    await records.page(of, {}, { count: 1 });
  } catch (error) {
    const suggestion = `Correct entity ${correct}.`;
    if (isAbsent(error))
      return {
        unusable: `${environment.name} has no entity "${display(of.entity)}" in its ${layerOf(of)}`,
        suggestion,
      };
    // An entity that does not exist may be told like this, too (document 3, "Modify").
    if (!isRefused(error)) throw error;
    return {
      unusable: `${environment.name} does not list "${display(of.entity)}" of its ${layerOf(of)}: ${error.message}`,
      suggestion,
    };
  }
  const metadata = await records.metadata(of);
  const columns = metadata?.columns;
  const lacking = needs.columns.find(({ fits }) => columns?.some(({ name }) => fits(name)) === false);
  if (lacking !== undefined)
    return {
      unusable: `${environment.name} has no column ${display(lacking.written)} in "${display(of.entity)}" that could be moved`,
      suggestion: `Correct columns ${correct}. Columns: ${listed(columns?.map(({ name }) => name))}.`,
    };
  const roles = metadata?.relationships?.map(({ name }) => name);
  const role = needs.relationships.find((name) => roles?.includes(name) === false);
  if (role !== undefined)
    return {
      unusable: `${environment.name} has no relationship ${display(role)} at "${display(of.entity)}"`,
      suggestion: `Correct relationships ${correct}. Relationships: ${listed(roles)}.`,
    };
  const refused =
    (await refusedQuery(client, needs)) ??
    (columns === undefined ? await refusedColumns(client, needs) : undefined);
  if (refused !== undefined) return refused;
  return { columns: columns && new Map(columns.map(({ name, leadsTo }) => [name, leadsTo])) };
}

async function missingInstance(client: MasterDataReadClient, entity: string): Promise<Unusable | undefined> {
  const known = await client.records.entities();
  if (known === undefined || known.includes(entity)) return undefined;
  return {
    unusable: `${client.environment.name} has no entity "${display(entity)}" in its instance layer`,
    suggestion: `Correct entity ${correct}. Entities: ${listed(known)}.`,
  };
}

/** A view that is not there, or does not show the entity. */
export async function missingMaster(
  { records, environment }: MasterDataReadClient,
  { view, entity }: { readonly view: string; readonly entity: string },
): Promise<Unusable | undefined> {
  const noView = (known: readonly string[] | undefined): Unusable => ({
    unusable: `${environment.name} has no master view "${display(view)}"`,
    suggestion: `Correct view ${correct}. Views: ${listed(known)}.`,
  });
  const views = await records.views();
  if (views?.includes(view) === false) return noView(views);
  let entities: readonly string[] | undefined;
  try {
    entities = await records.entitiesOf(view);
  } catch (error) {
    if (!isAbsent(error)) throw error;
    return noView(views);
  }
  if (entities?.includes(entity) !== false) return undefined;
  return {
    unusable: `${environment.name} has no entity "${display(entity)}" in its master view "${display(view)}"`,
    suggestion: `Correct entity ${correct}. Entities of the view: ${listed(entities)}.`,
  };
}

/** A column that is written out and is not there, where the metadata does not tell. */
async function refusedColumns(client: MasterDataReadClient, needs: Needs): Promise<Unusable | undefined> {
  const columns = needs.columns.map(({ written }) => written).filter((written) => !written.includes("*"));
  for (const some of addressPieces(columns, (column) => [column])) {
    const refused = await refusedQuery(client, { ...needs, query: { columns: some } });
    if (refused !== undefined) return { ...refused, suggestion: `Correct columns ${correct}.` };
  }
  return undefined;
}

/** A filter by a column that is not there, or a relationship, where the metadata does not tell. */
async function refusedQuery(
  { records, environment }: MasterDataReadClient,
  { of, query }: Needs,
): Promise<Unusable | undefined> {
  if (Object.keys(query).length === 0) return undefined;
  try {
    await records.page(of, query, { count: 1 });
    return undefined;
  } catch (error) {
    if (!(error instanceof ServiceError) || !["refused", "not-found"].includes(error.kind)) throw error;
    return {
      unusable: `${environment.name} does not list "${display(of.entity)}" as the plan says: ${error.message}`,
      suggestion: `Correct filter and relationships ${correct}.`,
    };
  }
}

/** What cannot be told of rows that drifted, where there is no history to look at. */
export async function withoutHistory(
  { records, environment }: MasterDataReadClient,
  of: RecordEntity,
  called: string,
): Promise<readonly Diagnostic[]> {
  const { name } = environment;
  const without = (what: string): readonly Diagnostic[] => [
    note(`${what}, so when a row drifted cannot be told`),
  ];
  try {
    if ((await records.historyMetadata(of)) !== undefined) return [];
    return without(
      (await records.historised()) === undefined
        ? `${name} keeps no history`
        : `${called}: ${name} keeps no history of it`,
    );
  } catch (error) {
    // It explains, and nothing hangs on it: a server that answers it in its own way is no reason to move nothing.
    if (!isAnyAnswer(error)) throw error;
    return without(`${called}: ${name} shows no history of it (${error.message})`);
  }
}

/** Also one that is of no use: what is not configured may be an error of the server, a page, or another sign-in. */
function isAnyAnswer(error: unknown): error is ServiceError {
  return isAnswered(error) || (error instanceof ServiceError && usual.has(error.kind));
}

const usual: ReadonlySet<ServiceError["kind"]> = new Set(["server", "unreadable", "sign-in"]);

export function note(summary: string): Diagnostic {
  return { severity: "info", code: "row-note", summary };
}

function layerOf(of: RecordEntity): string {
  return of.layer === "instance" ? "instance layer" : `master view "${display(of.view)}"`;
}

function listed(names: readonly string[] | undefined): string {
  if (names === undefined) return "not told in a form that is known";
  return names.length === 0 ? "none" : someOf(names.map(display), 30);
}
