import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import type { Json } from "../json.ts";
import type { Answer } from "./call.ts";

/** The whole body; undefined when the client left before it was there. */
export async function readBody(incoming: IncomingMessage): Promise<string | undefined> {
  try {
    return await text(incoming);
  } catch {
    return undefined;
  }
}

function encoded(answer: Answer): { readonly content: Buffer; readonly type: string } {
  if (answer.html !== undefined) return { content: Buffer.from(answer.html), type: "text/html" };
  const problem = answer.status >= 400 ? "application/problem+json" : "application/json";
  if (answer.body === undefined) return { content: Buffer.alloc(0), type: problem };
  return { content: Buffer.from(JSON.stringify(answer.body satisfies Json)), type: problem };
}

export function send(outgoing: ServerResponse, answer: Answer): void {
  if (outgoing.destroyed) return;
  const { content, type } = encoded(answer);
  sendContent(outgoing, answer.status, content, { "Content-Type": type, ...answer.headers });
}

function sendContent(
  outgoing: ServerResponse,
  status: number,
  content: Buffer,
  headers: Readonly<Record<string, string>>,
): void {
  if (status === 204) outgoing.writeHead(status, headers).end();
  else outgoing.writeHead(status, { ...headers, "Content-Length": String(content.length) }).end(content);
}

/** Half of the body, then nothing: the promised Content-Length is never reached. */
export function sendTruncated(outgoing: ServerResponse, answer: Answer): void {
  if (outgoing.destroyed) return;
  const { content, type } = encoded(answer);
  const length = Math.max(content.length, 2);
  outgoing.writeHead(answer.status === 204 ? 200 : answer.status, {
    "Content-Type": type,
    "Content-Length": String(length),
    ...answer.headers,
  });
  outgoing.write(content.subarray(0, Math.floor(content.length / 2)), () => outgoing.socket?.destroy());
}

export function destroy(incoming: IncomingMessage): void {
  incoming.socket.destroy();
}
