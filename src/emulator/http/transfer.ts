import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import type { Json } from "../json.ts";
import type { Answer } from "./call.ts";
import type { Sent, Wire } from "./wire.ts";

/** The wire that is a socket. */
export function socketWire(incoming: IncomingMessage, outgoing: ServerResponse): Wire {
  return {
    body: () => readBody(incoming),
    send: (sent) => {
      if (!outgoing.destroyed) sendOn(outgoing, sent);
    },
    destroy: () => incoming.socket.destroy(),
    status: () => (outgoing.headersSent ? outgoing.statusCode : 0),
  };
}

export function encoded(answer: Answer): Sent {
  const { status, headers } = answer;
  const { content, type } = contentOf(answer);
  return { status, headers: { "Content-Type": type, ...headers }, content, isTruncated: false };
}

/** Half of the body, then nothing: the promised Content-Length is never reached. */
export function truncated(answer: Answer): Sent {
  const sent = encoded(answer);
  return { ...sent, status: answer.status === 204 ? 200 : answer.status, isTruncated: true };
}

function contentOf(answer: Answer): { readonly content: Buffer; readonly type: string } {
  if (answer.html !== undefined) return { content: Buffer.from(answer.html), type: "text/html" };
  const problem = answer.status >= 400 ? "application/problem+json" : "application/json";
  if (answer.body === undefined) return { content: Buffer.alloc(0), type: problem };
  return { content: Buffer.from(JSON.stringify(answer.body satisfies Json)), type: problem };
}

async function readBody(incoming: IncomingMessage): Promise<string | undefined> {
  try {
    return await text(incoming);
  } catch {
    return undefined;
  }
}

function sendOn(outgoing: ServerResponse, { status, headers, content, isTruncated }: Sent): void {
  if (status === 204) {
    outgoing.writeHead(status, headers).end();
    return;
  }
  const length = isTruncated ? Math.max(content.length, 2) : content.length;
  outgoing.writeHead(status, { ...headers, "Content-Length": String(length) });
  if (!isTruncated) outgoing.end(content);
  else outgoing.write(content.subarray(0, Math.floor(content.length / 2)), () => outgoing.socket?.destroy());
}
