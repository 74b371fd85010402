import type { JsonObject } from "../json.ts";
import { Problem } from "../problem.ts";

/** A refusal of document 3 ("Errors"): `{ message, exception }`. The names of the classes are not documented. */
export class Refusal extends Problem {
  constructor(status: number, exception: string, message: string) {
    super(status, `com.example.mdm.rest.${exception}`, exception, message);
  }

  override get headers(): Readonly<Record<string, string>> {
    const json = { "Content-Type": "application/json" };
    return this.status === 401 ? { ...json, "WWW-Authenticate": 'Basic realm="mdm"' } : json;
  }

  override body(): JsonObject {
    return { message: this.message, exception: this.type };
  }
}

/** Missing parameters, bad JSON, a record that does not exist, invalid ids. */
export function badRequest(message: string): Refusal {
  return new Refusal(400, "BadRequestException", message);
}

export function noRecord(what: string): Refusal {
  return new Refusal(400, "RecordNotFoundException", `Record ${what} does not exist.`);
}

/** An incorrect URL, usually a wrong entity, master view or column name. */
export function wrongUrl(message: string): Refusal {
  return new Refusal(404, "NotFoundException", message);
}

export function mustSignIn(): Refusal {
  return new Refusal(401, "AuthenticationException", "The client must authenticate.");
}

export function mayNot(message: string): Refusal {
  return new Refusal(403, "AccessDeniedException", message);
}

export function failed(message: string): Refusal {
  return new Refusal(500, "ServerException", message);
}
