/** An error page may be endless; a problem body fits many times over. Bytes. */
const errorBodyBytes = 64 * 1024;

/** The body goes on beyond what may be read of it. */
export class TooLarge extends Error {
  override readonly name = "TooLarge";

  constructor(most: number) {
    super(
      `it is larger than ${inWords(most)}, the most that limits.answerSize of the plan lets one answer have`,
    );
  }
}

/**
 * A reader that is over when the signal says so. fetch hands the abort of its own signal on to a body only as long as
 * nobody has collected the objects between the two: a body that is still being read is no reason to keep them.
 */
function readerOf(
  response: Response,
  signal: AbortSignal,
): ReadableStreamDefaultReader<Uint8Array> | undefined {
  const reader = response.body?.getReader();
  // A stream may have failed by then: whoever reads it is told.
  const cancel = (): void => void reader?.cancel(signal.reason).catch(() => {});
  if (signal.aborted) cancel();
  else signal.addEventListener("abort", cancel, { once: true });
  return reader;
}

/**
 * The whole body as UTF-8. Throws on anything else: a replaced character would be a silent change of data. Throws
 * TooLarge as soon as more than `most` bytes came. They are counted as they are unpacked, which happens piece by piece
 * and no faster than they are read, so that a small body that unpacks to an endless one is no exception. Throws the
 * signal's reason when it is aborted before the end. `seen` is given each piece as it comes.
 */
export async function readBody(
  response: Response,
  most: number,
  signal: AbortSignal,
  seen?: (bytes: Uint8Array) => void,
): Promise<string> {
  const reader = readerOf(response, signal);
  if (reader === undefined) return "";
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const pieces: string[] = [];
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    signal.throwIfAborted();
    if (done) break;
    bytes += value.byteLength;
    if (bytes > most) throw new TooLarge(most);
    seen?.(value);
    pieces.push(decoder.decode(value, { stream: true }));
  }
  pieces.push(decoder.decode());
  return pieces.join("");
}

/** The start of a body, as far as it came and may be kept. Never throws. */
export async function readErrorBody(
  response: Response,
  most: number,
  signal: AbortSignal,
  seen?: (bytes: Uint8Array) => void,
): Promise<string> {
  const reader = readerOf(response, signal);
  if (reader === undefined) return "";
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  try {
    while (bytes < Math.min(errorBodyBytes, most)) {
      const { done, value } = await reader.read();
      if (done) return text + decoder.decode();
      bytes += value.byteLength;
      seen?.(value);
      text += decoder.decode(value, { stream: true });
    }
    await reader.cancel();
  } catch {
    // The connection broke or the time was up: what came so far will do.
  }
  return text;
}

/** As a plan says it. */
function inWords(bytes: number): string {
  for (const [unit, size] of [
    ["MB", 1024 ** 2],
    ["KB", 1024],
  ] as const) {
    if (bytes >= size) return `${Math.round((bytes / size) * 100) / 100}${unit}`;
  }
  return `${bytes} bytes`;
}
