import type { JsonObject } from "./json.ts";

/** One fault of a body, with the JSON pointer (`#/terms/3/name`) of the place. */
export interface FieldError {
  readonly detail: string;
  readonly pointer?: string;
}

/** A refusal: becomes a problem-details answer, or the error of one item of a batch (document 1, "Errors"). */
export class Problem extends Error {
  override readonly name = "Problem";
  readonly status: number;
  readonly type: string;
  readonly title: string;
  readonly errors: readonly FieldError[];

  constructor(
    status: number,
    type: string,
    title: string,
    detail: string,
    errors: readonly FieldError[] = [],
  ) {
    super(detail);
    this.status = status;
    this.type = type;
    this.title = title;
    this.errors = errors;
  }

  /** Of its answer, beyond those of any. */
  get headers(): Readonly<Record<string, string>> {
    return {};
  }

  /** The same refusal of one item of a batch: pointers into the item become pointers into the request. */
  within(base: string): Problem {
    const errors = this.errors.map(({ detail, pointer }) => {
      if (pointer === undefined) return { detail };
      return { detail, pointer: pointer.startsWith(base) ? pointer : `${base}${pointer.slice(1)}` };
    });
    return new Problem(this.status, this.type, this.title, this.message, errors);
  }

  /** The error of a batch item carries type, title and detail; the answer of a request the errors as well. */
  body(): JsonObject {
    const body: JsonObject = { type: this.type, title: this.title, detail: this.message };
    if (this.errors.length > 0) body["errors"] = this.errors.map((error) => ({ ...error }));
    return body;
  }
}

export function invalid(detail: string, pointer?: string): Problem {
  return invalidAll([pointer === undefined ? { detail } : { detail, pointer }]);
}

export function invalidAll(errors: readonly FieldError[]): Problem {
  const [first] = errors;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : "";
  const detail = `${first?.detail ?? "The request is not valid."}${more}`;
  return new Problem(400, "VALIDATION_ERROR", "Validation Error", detail, errors);
}

export function notFound(detail: string): Problem {
  return new Problem(404, "RESOURCE_NOT_FOUND", "Resource Not Found", detail);
}

export function conflict(detail: string): Problem {
  return new Problem(409, "CONFLICT", "Conflict", detail);
}

export function unauthorized(detail: string): Problem {
  return new Problem(401, "UNAUTHORIZED", "Unauthorized", detail);
}

export function forbidden(detail: string): Problem {
  return new Problem(403, "FORBIDDEN", "Forbidden", detail);
}
