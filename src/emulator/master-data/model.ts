import { isNumber, isWholeNumber, type Json, type JsonObject } from "../json.ts";

/** The logical model of a server: its entities, how they are cleansed and matched, what its views show. */
export interface Model {
  readonly entities: readonly EntityModel[];
  readonly relationships: readonly RelationshipModel[];
  readonly views: readonly ViewModel[];
}

export interface Column {
  readonly name: string;
  readonly type: ColumnType;
}

export type ColumnType = "STRING" | "INTEGER" | "FLOAT" | "BOOLEAN" | "DATE" | "DATETIME";

/** Of the instance layer: what sources send (src_), and what is computed of it (std_ and others). */
export interface EntityModel {
  readonly name: string;
  readonly columns: readonly Column[];
  readonly computed: readonly (Column & { readonly compute: (source: JsonObject) => Json })[];
  /** In order; the first that finds somebody decides. */
  readonly rules: readonly MatchRule[];
}

export interface MatchRule {
  readonly name: string;
  /** 0 to 1. */
  readonly quality: number;
  /** Records with the same key are the same; undefined: the rule says nothing of this one. */
  readonly key: (values: JsonObject) => string | undefined;
  /** It only proposes: whoever it finds is not joined. */
  readonly proposes?: boolean;
}

/** Of one parent with children. Without roles its name from one end is rev_<entity>_has_<related>. */
export interface RelationshipModel {
  readonly name: string;
  readonly parent: string;
  readonly child: string;
  readonly parentRole?: string;
  readonly childRole?: string;
}

export interface ViewModel {
  readonly name: string;
  readonly entities: readonly MasterModel[];
}

/** An entity of a view. Its records are merged from instances of the entity of that name, where there is one. */
export interface MasterModel {
  readonly name: string;
  readonly columns: readonly (Column & { readonly from?: string })[];
}

/** A relationship as it is named at one of its ends. */
export interface Role {
  readonly relationship: RelationshipModel;
  readonly name: string;
  /** The entity at the other end. */
  readonly entity: string;
  /** The other end is the parent. */
  readonly leadsUp: boolean;
}

export function rolesOf(model: Model, entity: string): Role[] {
  return model.relationships.flatMap((relationship) => {
    const { parent, child, parentRole, childRole } = relationship;
    const down = {
      relationship,
      name: childRole ?? withoutRole(parent, child),
      entity: child,
      leadsUp: false,
    };
    const up = {
      relationship,
      name: parentRole ?? withoutRole(child, parent),
      entity: parent,
      leadsUp: true,
    };
    return [...(parent === entity ? [down] : []), ...(child === entity ? [up] : [])];
  });
}

function withoutRole(entity: string, related: string): string {
  return `rev_${entity}_has_${related}`;
}

/** Why a value cannot be in a column; undefined when it can. */
export function misfit({ name, type }: Column, value: Json): string | undefined {
  if (value === null || fits(type, value)) return undefined;
  return `${name} is of type ${type}.`;
}

function fits(type: ColumnType, value: Json): boolean {
  switch (type) {
    case "INTEGER":
      return isWholeNumber(value);
    case "FLOAT":
      return isNumber(value);
    case "BOOLEAN":
      return typeof value === "boolean";
    case "DATE":
      return typeof value === "string" && /^\d{4}-\d\d-\d\d$/.test(value);
    case "DATETIME":
      return typeof value === "string" && !Number.isNaN(Date.parse(value));
    default:
      return typeof value === "string";
  }
}
