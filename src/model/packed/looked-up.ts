/** An object's fields, told by what is kept of them. */
export interface Telling<T extends object, Of> {
  /** In order; those that there are. */
  readonly names: (of: Of) => readonly string[];
  /** Undefined for a field that there is not. */
  readonly field: (of: Of, name: string) => T[keyof T] | undefined;
}

/** What a looked-up object was made of; nobody else has the symbol. */
const behind = Symbol("behind");

/**
 * Makes objects that hold next to nothing and look their fields up when they are asked for. To whoever gets one it is an
 * object like any other: copied by `...`, listed, compared and written as JSON with all of its fields, and not to be
 * changed. It is a proxy, since a class whose fields are getters loses them where somebody copies it.
 */
export function lookedUp<T extends object, Of extends object>(telling: Telling<T, Of>): (of: Of) => T {
  const handler: ProxyHandler<Of> = {
    get(of, name) {
      if (typeof name === "symbol") return name === behind ? of : undefined;
      const value = telling.field(of, name);
      return value === undefined ? inherited(name) : value;
    },
    has: (of, name) => typeof name === "string" && telling.names(of).includes(name),
    ownKeys: (of) => [...telling.names(of)],
    getOwnPropertyDescriptor(of, name) {
      if (typeof name === "symbol" || !telling.names(of).includes(name)) return undefined;
      return { value: telling.field(of, name), enumerable: true, configurable: true, writable: false };
    },
    set: () => false,
    defineProperty: () => false,
    deleteProperty: () => false,
    setPrototypeOf: () => false,
    preventExtensions: () => false,
  };
  return (of) => new Proxy(of, handler) as unknown as T;
}

/** The same where each field has a teller of its own; in their order. */
export function lookedUpBy<T extends object, Of extends object>(tellers: {
  readonly [Name in keyof T]?: (of: Of) => T[Name];
}): (of: Of) => T {
  const byName = new Map(Object.entries<((of: Of) => T[keyof T]) | undefined>(tellers));
  const names = [...byName.keys()];
  return lookedUp<T, Of>({ names: () => names, field: (of, name) => byName.get(name)?.(of) });
}

const everyObjects: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype));

/** What every object has. Fields that there are not are asked for more than any other. */
function inherited(name: string): unknown {
  return everyObjects.has(name) ? (Reflect.get(Object.prototype, name) as unknown) : undefined;
}

/** What it was made of; undefined for any other object. */
export function behindOf(object: object): object | undefined {
  return (object as { readonly [behind]?: object })[behind];
}
