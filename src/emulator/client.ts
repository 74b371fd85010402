/** The interfaces that permissions are given for. */
export type Area = "catalog" | "processing" | "data-quality" | "reference-data";

export interface Permission {
  readonly read: boolean;
  readonly write: boolean;
}

/** An API client of a tenant (document 1, "Authentication" 2). */
export interface ApiClient {
  readonly id: string;
  secret: string;
  readonly permissions: Record<Area, Permission>;
}

export function fullPermissions(): Record<Area, Permission> {
  const full: Permission = { read: true, write: true };
  return { catalog: full, processing: full, "data-quality": full, "reference-data": full };
}
