import { ServiceError } from "./error.ts";

/** A path below the base address, and the same with its variable parts left out. */
export interface Path {
  readonly path: string;
  /** For measurements: requests of one route are alike. */
  readonly route: string;
  /** Why nothing may be sent there; checked by the one place that sends. */
  readonly problem?: string;
}

/** `each`: a parameter that is repeated. */
export type QueryValue =
  | string
  | number
  | readonly string[]
  | { readonly each: readonly string[] }
  | undefined;
export type Query = Readonly<Record<string, QueryValue>>;

/** The request cannot be written down as it is meant; the message says why. */
export class Unsendable extends Error {
  override readonly name = "Unsendable";
}

/**
 * Template tag: literal text stays, every value becomes one escaped path segment. URNs come from the service
 * and are hostile input: an empty or dotted one would address another resource, so such a path has a problem.
 */
export function at(literals: TemplateStringsArray, ...values: readonly string[]): Path {
  let path = literals[0] ?? "";
  let problem: string | undefined;
  for (const [index, value] of values.entries()) {
    if (value === "" || value === "." || value === ".." || !value.isWellFormed()) {
      problem ??= `"${value.toWellFormed()}" is no identifier that a path can hold`;
    }
    path += encodeURIComponent(value.toWellFormed()).replaceAll("%3A", ":") + (literals[index + 1] ?? "");
  }
  const route = literals.join("*");
  return problem === undefined ? { path, route } : { path, route, problem };
}

/**
 * The query with its question mark, or nothing. Lists travel comma-separated (document 1, Extra properties): a
 * name with a comma would silently ask for two other names. Throws Unsendable for that one.
 */
export function queryText(query: Query): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    if (typeof value === "string" || typeof value === "number") {
      parameters.append(name, String(value));
      continue;
    }
    if ("each" in value) {
      for (const entry of value.each) parameters.append(name, entry);
      continue;
    }
    const odd = value.find((entry) => entry.includes(","));
    if (odd !== undefined) throw new Unsendable(`"${odd}" holds a comma and cannot be asked for in ${name}`);
    if (value.length > 0) parameters.append(name, value.join(","));
  }
  const text = parameters.toString();
  return text === "" ? "" : `?${text}`;
}

/** The address without a slash at its end. Throws ServiceError when it is no http(s) address or holds credentials. */
export function baseAddress(address: string, environment: string): string {
  const url = URL.parse(address);
  // The address itself is not shown: it may hold the credentials that it is refused for.
  const wrong = (why: string): ServiceError =>
    new ServiceError(`The address of environment "${environment}" ${why}.`, {
      kind: "unreachable",
      arrived: "no",
      method: "",
      path: "",
    });
  if (url === null || !["http:", "https:"].includes(url.protocol)) throw wrong("is not an http(s) address");
  if (url.username !== "" || url.password !== "") throw wrong("must not hold a user name or password");
  if (url.search !== "" || url.hash !== "") throw wrong("must not hold a query or fragment");
  return `${url.origin}${url.pathname.replace(/\/+$/u, "")}`;
}
