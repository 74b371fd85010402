import type { ApiClient } from "../client.ts";
import type { Json } from "../json.ts";
import { invalid, notFound, type Problem, unauthorized } from "../problem.ts";
import { Random } from "../random.ts";
import type { Tenant } from "../tenant.ts";
import type { Answer } from "./call.ts";

interface Issued {
  readonly tenant: Tenant;
  readonly client: ApiClient;
  readonly expiresAt: number;
}

/** The token endpoint and the tokens it gave out (document 1, "Authentication"). */
export class Tokens {
  readonly #lifetimeSeconds: number;
  readonly #clock: () => number;
  readonly #random: Random;
  readonly #issued = new Map<string, Issued>();

  constructor(options: {
    readonly lifetimeSeconds: number;
    readonly seed: number;
    readonly clock: () => number;
  }) {
    this.#lifetimeSeconds = options.lifetimeSeconds;
    this.#clock = options.clock;
    this.#random = new Random(options.seed, "tokens");
  }

  /** Client credentials, form-encoded; the realm is the name of the tenant. */
  issue(tenant: Tenant, realm: string, contentType: string, body: string): Answer {
    if (realm !== (tenant.quirks.realm ?? tenant.name))
      return refusal(notFound(`Realm ${realm} does not exist.`), "invalid_request");
    if (!contentType.startsWith("application/x-www-form-urlencoded")) {
      return refusal(
        invalid("The token endpoint takes application/x-www-form-urlencoded."),
        "invalid_request",
      );
    }
    const form = new URLSearchParams(body);
    if (form.get("grant_type") !== "client_credentials") {
      return refusal(invalid("grant_type must be client_credentials."), "unsupported_grant_type");
    }
    const client = tenant.clients.get(form.get("client_id") ?? "");
    if (client === undefined || client.secret !== form.get("client_secret")) {
      return refusal(unauthorized("Unknown client, or wrong secret."), "invalid_client");
    }
    const expiresAt = this.#clock() + this.#lifetimeSeconds * 1000;
    const token = this.#write(tenant, client, expiresAt);
    this.#issued.set(token, { tenant, client, expiresAt });
    const answer = { access_token: token, expires_in: this.#lifetimeSeconds, token_type: "Bearer" };
    return { status: 200, body: answer };
  }

  /** A JSON web token in form; nothing verifies the signature, for only issued tokens are known. */
  #write(tenant: Tenant, client: ApiClient, expiresAt: number): string {
    const part = (value: Json): string => Buffer.from(JSON.stringify(value)).toString("base64url");
    const claims = {
      iss: `auth/realms/${tenant.name}`,
      azp: client.id,
      exp: Math.floor(expiresAt / 1000),
      jti: this.#random.uuid(),
    };
    const signature = Buffer.from(this.#random.uuid()).toString("base64url");
    return `${part({ alg: "RS256", typ: "JWT" })}.${part(claims)}.${signature}`;
  }

  /** The client behind an Authorization header; expired, unknown and other tenants' tokens give 401. */
  authorize(tenant: Tenant, header: string | undefined): ApiClient {
    const token = /^Bearer (\S+)$/.exec(header ?? "")?.[1];
    if (token === undefined) throw unauthorized("A bearer token is required.");
    const issued = this.#issued.get(token);
    if (issued === undefined || issued.tenant !== tenant)
      throw unauthorized("The access token is not valid here.");
    if (issued.expiresAt <= this.#clock()) {
      this.#issued.delete(token);
      throw unauthorized("The access token has expired.");
    }
    return issued.client;
  }

  /** Ends every token of a tenant at once. */
  expire(tenant: Tenant): void {
    for (const [token, issued] of this.#issued) if (issued.tenant === tenant) this.#issued.delete(token);
  }
}

/** Problem details, with the fields that OAuth 2.0 clients look for beside them. */
function refusal(problem: Problem, error: string): Answer {
  return { status: problem.status, body: { ...problem.body(), error, error_description: problem.message } };
}
