/** A service whose calls keep the states they read from being deleted under them. */

/** Runs a reader and says when it has ended. */
export type Reading = <T>(task: () => Promise<T>) => Promise<T>;

/** The service, each of whose calls that give a promise runs as a reader. */
export function whileReading<Service extends object>(service: Service, reading: Reading): Service {
  return new Proxy(service, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== "function") return member;
      return (...args: readonly unknown[]): unknown => {
        const result: unknown = Reflect.apply(member, target, args);
        return result instanceof Promise ? reading(() => result) : result;
      };
    },
  });
}
