/** Ids for these tests: the digit says what it is of, the number which one. */
export function uuid(digit: string, number: number): string {
  return `${digit.repeat(8)}-0000-4000-8000-${String(number).padStart(12, "0")}`;
}

export function urn(tenant: "dev" | "prod", type: string, number: number): string {
  return `urn:data:${tenant}:${type}:${uuid(tenant === "dev" ? "a" : "b", number)}`;
}

/** A key at the source, and the one that the service gave its twin. */
export const sourceKey = (number: number): string => uuid("c", number);
export const targetKey = (number: number): string => uuid("d", number);
export const newKey = (number: number): string => `new_${sourceKey(number)}`;
