/** A service as programs may ask it: what they hand in is looked at first. Plain JavaScript has no compiler to do so. */
import type { z } from "zod";
import { once } from "../../primitives/once.ts";
import { requireShape } from "../../primitives/shapes/shape.ts";

/** Schemas by name and in order. */
type Shapes = Readonly<Record<string, z.ZodType>>;

/** What a method takes, made when it is first called, and whether it rejects or throws where that is wrong. */
interface Arguments<Gives extends "promise" | "value"> {
  readonly gives: Gives;
  readonly takes: () => Shapes;
}

type Method = (...args: never) => unknown;
type MethodNames<Service> = { [Name in keyof Service]: Service[Name] extends Method ? Name : never }[keyof Service];
type ArgumentsOf<Called> = Called extends (...args: never) => infer Result
  ? Arguments<Result extends Promise<unknown> ? "promise" : "value">
  : never;

/** What methods of a service take: all of them, unless some are named. */
export type ArgumentTable<Service, Names extends keyof Service = MethodNames<Service>> = {
  readonly [Name in Names]: ArgumentsOf<Service[Name]>;
};

/** The arguments of a method that gives a promise. */
export function promise(takes: () => Shapes): Arguments<"promise"> {
  return { gives: "promise", takes: once(takes) };
}

/** The arguments of a method that gives anything else. */
export function value(takes: () => Shapes): Arguments<"value"> {
  return { gives: "value", takes: once(takes) };
}

/**
 * The service, whose methods of the table refuse with `INVALID_PARAMS` what they do not take.
 *
 * @param begin - called before anything else; what it throws is thrown
 */
export function checked<Service extends object, Names extends keyof Service>(
  service: Service,
  table: ArgumentTable<Service, Names>,
  begin: () => void = () => undefined,
): Service {
  const methods = new Map<PropertyKey, Arguments<"promise" | "value">>(Object.entries(table));
  return new Proxy(service, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name, target);
      const method = methods.get(name);
      if (typeof member !== "function") return member;
      return (...args: readonly unknown[]): unknown => {
        const run = (): unknown => {
          begin();
          for (const [index, [path, shape]] of Object.entries(method?.takes() ?? {}).entries()) {
            requireShape(shape, args[index], path);
          }
          return Reflect.apply(member, target, args);
        };
        return method?.gives === "promise" ? rejecting(run) : run();
      };
    },
  });
}

/** What it throws becomes a rejection. */
async function rejecting(run: () => unknown): Promise<unknown> {
  return run();
}
