/** By POST, and changes nothing. */
export function isQuestion(path: string): boolean {
  return path.includes("/openid-connect/token") || asks.test(path);
}

const asks =
  /\/(?:catalog-items|published|draft)\/filter$|\/results\/dq-evaluation\/bulk$|\/api\/rest\/.+\/(?:search|identify)$/;
