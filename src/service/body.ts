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
 * The whole body as UTF-8. Throws on anything else: a replaced character would be a silent change of data. Throws
 * TooLarge as soon as more than `most` bytes came. They are counted as they are unpacked, which happens piece by piece
 * and no faster than they are read, so that a small body that unpacks to an endless one is no exception.
 */
export async function readBody(response: Response, most: number): Promise<string> {
  const reader = response.body?.getReader();
  if (reader === undefined) return "";
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const pieces: string[] = [];
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    bytes += value.byteLength;
    if (bytes > most) throw new TooLarge(most);
    pieces.push(decoder.decode(value, { stream: true }));
  }
  pieces.push(decoder.decode());
  return pieces.join("");
}

/** The start of a body, as far as it came and may be kept. Never throws. */
export async function readErrorBody(response: Response, most: number): Promise<string> {
  const reader = response.body?.getReader();
  if (reader === undefined) return "";
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  try {
    while (bytes < Math.min(errorBodyBytes, most)) {
      const { done, value } = await reader.read();
      if (done) return text + decoder.decode();
      bytes += value.byteLength;
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
