/** By POST, and changes nothing. */
export function isQuestion(path: string): boolean {
  return path.includes("/openid-connect/token") || path.endsWith("/catalog-items/filter");
}
