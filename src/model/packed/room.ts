type Column = Uint16Array | Uint32Array | Float64Array;

/** From so many on there is half as much again, and twice as much before. */
const many = 64;

/** The same numbers, with room for one at this place and for some more, since more will come. */
export function withRoom<T extends Column>(column: T, at: number): T {
  if (at < column.length) return column;
  const Wider = column.constructor as new (length: number) => T;
  const wider = new Wider(Math.max(at + 1, Math.ceil(column.length * (column.length < many ? 2 : 1.5))));
  wider.set(column);
  return wider;
}
