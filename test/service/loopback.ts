import { createServer } from "node:http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Environment } from "../../src/service/index.ts";
import { accessToken, environment } from "./support.ts";

export type Handler = (request: IncomingMessage, response: ServerResponse, count: number) => void;

export interface Loopback extends AsyncDisposable {
  readonly environment: Environment;
  /** Requests other than those for tokens: `METHOD path?query`. */
  readonly seen: string[];
  readonly tokens: () => number;
}

/** A server on 127.0.0.1 that gives tokens and leaves every other request to the handler. */
export async function loopback(
  handler: Handler,
  giveToken: (response: ServerResponse) => void = (response) => {
    json(response, 200, { access_token: accessToken, expires_in: 300, token_type: "Bearer" });
  },
): Promise<Loopback> {
  const seen: string[] = [];
  let tokens = 0;
  const server = createServer((request, response) => {
    request.resume();
    request.on("end", () => {
      if (request.url?.startsWith("/auth/") === true) {
        tokens += 1;
        giveToken(response);
        return;
      }
      seen.push(`${request.method} ${request.url}`);
      handler(request, response, seen.length);
    });
  });
  const port = await listen(server);
  return {
    environment: { ...environment, baseUrl: `http://127.0.0.1:${port}` },
    seen,
    tokens: () => tokens,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

export async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return (server.address() as AddressInfo).port;
}

export function json(response: ServerResponse, status: number, body: unknown, headers = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}
