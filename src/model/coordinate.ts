import { display } from "./display.ts";

/** How every message names an object: kind + URN + name. */
export interface Coordinate {
  readonly kind: string;
  readonly urn: string;
  readonly name: string;
}

export function formatCoordinate(coordinate: Coordinate): string {
  return `${coordinate.kind} "${display(coordinate.name)}" (${display(coordinate.urn)})`;
}
