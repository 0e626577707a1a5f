/**
 * Wraps a service for programs. Each method checks its arguments, because callers may not be type-checked, and keeps
 * the states that it reads from being deleted until it ends.
 */
import type { z } from "zod";
import { once } from "../../primitives/once.ts";
import { requireShape } from "../../primitives/validation/shape.ts";

/** Schemas by argument name, in the order of the arguments. */
type Shapes = Readonly<Record<string, z.ZodType>>;

/**
 * Schemas of a method's arguments, made at its first call. `gives` says whether errors reject a promise or are thrown.
 */
interface Arguments<Gives extends "promise" | "value"> {
  readonly gives: Gives;
  readonly takes: () => Shapes;
}

type Method = (...args: never) => unknown;
type MethodNames<Service> = { [Name in keyof Service]: Service[Name] extends Method ? Name : never }[keyof Service];
type ArgumentsOf<Called> = Called extends (...args: never) => infer Result
  ? Arguments<Result extends Promise<unknown> ? "promise" : "value">
  : never;

/** The methods of a service. */
export type MethodsOf<Service> = Pick<Service, MethodNames<Service>>;

/** The arguments of each method of a service. */
export type ArgumentTable<Service> = { readonly [Name in MethodNames<Service>]: ArgumentsOf<Service[Name]> };

/** Arguments of a method that returns a promise. */
export function promise(takes: () => Shapes): Arguments<"promise"> {
  return { gives: "promise", takes: once(takes) };
}

/** Arguments of a method that does not return a promise. */
export function value(takes: () => Shapes): Arguments<"value"> {
  return { gives: "value", takes: once(takes) };
}

/** Functions that wrap each call. */
export interface Guard {
  /** Called first; throws if the node is closed. */
  requireOpen(): void;
  /** Runs a task that reads the chain, and returns its result. */
  reading<T>(task: () => Promise<T>): Promise<T>;
}

/**
 * The methods of a service that a table describes. They throw `INVALID_PARAMS` for wrong arguments.
 *
 * A method that returns a generator reads the chain until the generator has ended, as `for await` ends it.
 */
export function forPrograms<Service extends object>(
  service: Service,
  table: ArgumentTable<Service>,
  guard: Guard,
): MethodsOf<Service> {
  const described = Object.entries<Arguments<"promise" | "value">>(table);
  const methods = described.map(([name, { gives, takes }]) => {
    const method = Reflect.get(service, name) as (...args: readonly unknown[]) => unknown;
    const call = (args: readonly unknown[]): unknown => {
      guard.requireOpen();
      for (const [index, [path, shape]] of Object.entries(takes()).entries()) requireShape(shape, args[index], path);
      return method.apply(service, [...args]);
    };
    const given = (...args: readonly unknown[]): unknown => {
      if (gives === "promise") return guard.reading(async () => call(args));
      const result = call(args);
      return isIterated(result) ? iterateWhileReading(result, guard) : result;
    };
    return [name, given] as const;
  });
  return Object.fromEntries(methods) as MethodsOf<Service>;
}

function isIterated(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}

/** The items. The states that they need are not deleted until the consumer ends. */
export async function* iterateWhileReading<T>(
  items: AsyncIterable<T>,
  guard: Pick<Guard, "reading">,
): AsyncGenerator<T, void, undefined> {
  let stopReading = (): void => undefined;
  const stopped = new Promise<void>((resolve) => {
    stopReading = resolve;
  });
  await new Promise<void>((resolve) => {
    void guard.reading(() => {
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

/**
 * Gives a value that refers to itself the JSON that `JSON.stringify` writes for it, in a member that no loop over its members
 * sees. A range in a source has its file, and the file its functions.
 */
export function withJson<Value extends object>(value: Value, toJson: () => unknown): Value {
  return Object.defineProperty(value, "toJSON", { value: toJson, enumerable: false, configurable: true });
}
