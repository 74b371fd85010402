/** An error page may be endless; a problem body fits many times over. Bytes. */
const errorBodyBytes = 64 * 1024;

/** The whole body as UTF-8. Throws on anything else: a replaced character would be a silent change of data. */
export async function readBody(response: Response): Promise<string> {
  return new TextDecoder("utf-8", { fatal: true }).decode(await response.arrayBuffer());
}

/** The start of a body, as far as it came and may be kept. Never throws. */
export async function readErrorBody(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  if (reader === undefined) return "";
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  try {
    while (bytes < errorBodyBytes) {
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
