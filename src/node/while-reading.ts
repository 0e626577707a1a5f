/** A service whose calls keep the states they read from being deleted under them. */

/** Runs a reader and says when it has ended. */
type Reading = <T>(task: () => Promise<T>) => Promise<T>;

/**
 * The service, each of whose calls that give a promise runs as a reader, and each that gives a generator from its first
 * item to its last. Whoever leaves off has to end the generator, as `for await` does.
 */
export function whileReading<Service extends object>(service: Service, chain: { readonly reading: Reading }): Service {
  const reading: Reading = (task) => chain.reading(task);
  return new Proxy(service, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== "function") return member;
      return (...args: readonly unknown[]): unknown => {
        const result: unknown = Reflect.apply(member, target, args);
        if (result instanceof Promise) return reading(() => result);
        return isIterated(result) ? iterateWhileReading(result, reading) : result;
      };
    },
  });
}

function isIterated(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}

async function* iterateWhileReading<T>(items: AsyncIterable<T>, reading: Reading): AsyncGenerator<T, void, undefined> {
  let stopReading = (): void => undefined;
  const stopped = new Promise<void>((resolve) => {
    stopReading = resolve;
  });
  await new Promise<void>((resolve) => {
    void reading(() => {
      resolve();
      return stopped;
    });
  });
  try {
    yield* items;
  } finally {
    stopReading();
  }
}
