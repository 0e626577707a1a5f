/** Node's key for functions that prepare a value for `util.inspect` and `console.log`. */
const INSPECT = Symbol.for("nodejs.util.inspect.custom");

/**
 * Gives an object members that are computed when they are first read. Most errors of a test are expected ones, and nobody
 * reads their stack traces. `console.log` shows the values.
 */
export function addLazyMembers(target: object, members: Readonly<Record<string, () => unknown>>): void {
  for (const [name, make] of Object.entries(members)) {
    const enumerable = Object.getOwnPropertyDescriptor(target, name)?.enumerable ?? true;
    const settle = (value: unknown): unknown => {
      Object.defineProperty(target, name, { configurable: true, enumerable, writable: true, value });
      return value;
    };
    Object.defineProperty(target, name, { configurable: true, enumerable, get: () => settle(make()), set: settle });
  }
  const inspected = (): object => {
    for (const name of Object.keys(members)) Reflect.get(target, name);
    return target;
  };
  Object.defineProperty(target, INSPECT, { configurable: true, value: inspected });
}
