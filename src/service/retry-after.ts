/**
 * Milliseconds to wait by a Retry-After header: seconds or an HTTP date (RFC 9110, 10.2.3). Undefined when it
 * is absent or means nothing; a date in the past is 0.
 */
export function parseRetryAfter(value: string | null, now: number): number | undefined {
  if (value === null) return undefined;
  const trimmed = value.trim();
  if (/^\d+(?:\.\d+)?$/u.test(trimmed)) return Math.ceil(Number(trimmed) * 1000);
  // Date.parse takes almost anything, for example "5 apples"; an HTTP date names its day first.
  if (!/^(?:mon|tue|wed|thu|fri|sat|sun)/iu.test(trimmed)) return undefined;
  const at = Date.parse(trimmed);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
