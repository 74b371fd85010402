/** What the text of a query says, as far as the attributes of its result go. */
export interface QueryText {
  /** The expressions of the outermost select list. */
  readonly columns: readonly SelectedColumn[];
  readonly tables: readonly NamedTable[];
}

export interface SelectedColumn {
  readonly name: string;
  readonly expression: string;
}

export interface NamedTable {
  /** Lower case, the closest last: `["dev_sales", "customer"]`. */
  readonly path: readonly string[];
  /** What the query calls it; its own name without an alias. */
  readonly alias: string;
}

const noAlias = new Set(
  "on using where group order having limit union join left right inner outer full cross natural".split(" "),
);

/** Reads the plainest SQL: a select list, tables after FROM and JOIN, names in a WITH clause left out. */
export function readQuery(query: string): QueryText {
  const text = query.replaceAll(/--[^\n]*|\/\*[\s\S]*?\*\//g, " ");
  const columns = selectList(text).map((expression) => ({ name: nameOf(expression), expression }));
  return { columns: columns.filter(({ name }) => name !== ""), tables: tablesOf(text) };
}

function tablesOf(text: string): NamedTable[] {
  const local = new Set([...text.matchAll(/(\w+)\s+as\s*\(/gi)].map((hit) => hit[1]?.toLowerCase()));
  const hits = [...text.matchAll(/\b(?:from|join)\s+([\w."]+)(?:\s+(?:as\s+)?(\w+))?/gi)];
  return hits
    .map((hit) => {
      const path = (hit[1] ?? "").replaceAll('"', "").toLowerCase().split(".");
      const alias = hit[2]?.toLowerCase() ?? "";
      return { path, alias: alias === "" || noAlias.has(alias) ? (path.at(-1) ?? "") : alias };
    })
    .filter(({ path }) => path.length > 1 || !local.has(path[0]));
}

/** The parts between SELECT and FROM, outside of brackets: those of the result and not of a query within. */
function selectList(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let part: string | undefined;
  for (const [word] of text.matchAll(/\w+|\s+|[^\w\s]/g)) {
    if (word === "(") depth += 1;
    if (word === ")") depth -= 1;
    const keyword = depth === 0 ? word.toLowerCase() : "";
    if (part === undefined) {
      if (keyword === "select") part = "";
    } else if (keyword === "from") return [...parts, part.trim()];
    else if (keyword === ",") {
      parts.push(part.trim());
      part = "";
    } else if (keyword !== "distinct") part += word;
  }
  return [];
}

function nameOf(expression: string): string {
  return /([\w*]+)"?$/.exec(expression)?.[1] ?? "";
}

/** The column that an expression names, without a function around it. */
export function plainColumn(
  expression: string,
): { readonly table?: string; readonly name: string } | undefined {
  const [, table, name] = /^(?:"?(\w+)"?\.)?"?(\w+|\*)"?(?:\s+(?:as\s+)?"?\w+"?)?$/i.exec(expression) ?? [];
  if (name === undefined) return undefined;
  return { ...(table !== undefined && { table: table.toLowerCase() }), name: name.toLowerCase() };
}
