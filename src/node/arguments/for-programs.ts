/**
 * A service as a program may call it: each method checks its arguments, since plain JavaScript has no compiler to do so,
 * and keeps the states that it reads from being deleted until it has ended.
 */
import type { z } from "zod";
import { once } from "../../primitives/once.ts";
import { requireShape } from "../../primitives/shapes/shape.ts";

/** Schemas by name and in order. */
type Shapes = Readonly<Record<string, z.ZodType>>;

/** The arguments of a method, whose schemas are made at its first call, and whether a wrong one makes it reject or throw. */
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

/** The arguments of a method that gives a promise. */
export function promise(takes: () => Shapes): Arguments<"promise"> {
  return { gives: "promise", takes: once(takes) };
}

/** The arguments of a method that gives anything else. */
export function value(takes: () => Shapes): Arguments<"value"> {
  return { gives: "value", takes: once(takes) };
}

/** What surrounds each call. */
export interface Guard {
  /** Called first; the call ends with what it throws. */
  requireOpen(): void;
  /** Runs a reader of the chain and gives what it gives. */
  reading<T>(task: () => Promise<T>): Promise<T>;
}

/**
 * The methods of a service that a table describes. They refuse wrong arguments with `INVALID_PARAMS`.
 *
 * A method that gives a generator reads the chain until the generator has ended, as `for await` ends it.
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

async function* iterateWhileReading<T>(items: AsyncIterable<T>, guard: Guard): AsyncGenerator<T, void, undefined> {
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
