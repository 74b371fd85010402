import nock from "nock";
import { accessToken, environment } from "./support.ts";

export const host = environment.baseUrl;
export const tokenPath = "/auth/realms/acme/protocol/openid-connect/token";

/** Starts a test with an empty network: what no test expects is refused. */
export function closeNetwork(): void {
  nock.cleanAll();
  nock.disableNetConnect();
}

export function openNetwork(): void {
  nock.cleanAll();
  nock.enableNetConnect();
  nock.restore();
}

export function giveToken(token = accessToken, lifetime = 300): nock.Scope {
  return nock(host)
    .post(tokenPath)
    .reply(200, { access_token: token, expires_in: lifetime, token_type: "Bearer" });
}
