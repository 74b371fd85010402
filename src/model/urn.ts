/**
 * The identifiers of the service: `urn:<namespace>:<tenant>:<area>:<type>:<uuid>` (document 1, "Conventions
 * shared by all interfaces"). The tenant is a segment of every URN, so a URN of one environment is never
 * right in another, even where the UUID is the same (page 04).
 */
export type Urn = string & { readonly __urn: unique symbol };

export interface UrnParts {
  readonly namespace: string;
  readonly tenant: string;
  /** For example `catalog`, `data-quality`, `iam`. */
  readonly area: string;
  /** For example `term`, `dq-monitor`. */
  readonly type: string;
  /** Lower or upper case as the service wrote it. */
  readonly uuid: string;
}

const uuidPattern = "[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}";
const uuidExpression = new RegExp(`^${uuidPattern}$`);
const urnExpression = new RegExp(`^urn:([^:\\s"]+):([^:\\s"]+):([^:\\s"]+):([^:\\s"]+):(${uuidPattern})$`);

export function isUuid(value: string): boolean {
  // Most texts of that length are told apart by their first hyphen.
  return value.length === 36 && value[8] === "-" && uuidExpression.test(value);
}

export function isUrn(value: unknown): value is Urn {
  return typeof value === "string" && value.startsWith("urn:") && urnExpression.test(value);
}

/** The parts of a URN, or undefined when the text is not one. */
export function parseUrn(value: string): UrnParts | undefined {
  const match = value.startsWith("urn:") ? urnExpression.exec(value) : null;
  if (match === null) return undefined;
  const [, namespace, tenant, area, type, uuid] = match;
  return {
    namespace: namespace ?? "",
    tenant: tenant ?? "",
    area: area ?? "",
    type: type ?? "",
    uuid: uuid ?? "",
  };
}

export function formatUrn(parts: UrnParts): Urn {
  return `urn:${parts.namespace}:${parts.tenant}:${parts.area}:${parts.type}:${parts.uuid}` as Urn;
}

/** The UUID part of a URN; the empty string when the text is not a URN. */
export function uuidOf(urn: string): string {
  return parseUrn(urn)?.uuid ?? "";
}

const uuidDigits = /^([0-9a-f]{8})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{12})$/;

/** A UUID in any letters, with hyphens or without, as most are written; the empty string when the text is none. */
export function plainUuid(id: string): string {
  return uuidDigits.exec(id.toLowerCase())?.slice(1).join("-") ?? "";
}

/** Whether it is a URN with this UUID, letter by letter; most texts are told apart by their end. */
export function isUrnOf(value: string, uuid: string): boolean {
  return uuid.length === 36 && value.endsWith(uuid) && isUrn(value);
}

/** `catalog:term`, `data-quality:dq-monitor`: what sort of thing a URN names. */
export function urnType(urn: string): string | undefined {
  const parts = parseUrn(urn);
  return parts === undefined ? undefined : `${parts.area}:${parts.type}`;
}
