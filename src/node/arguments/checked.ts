/** A service as programs may ask it: what they hand in is looked at first. Plain JavaScript has no compiler to do so. */
import type { Shape } from "../../primitives/shape.ts";

/** What a method takes, by name and in order, and whether it rejects or throws where that is wrong. */
interface Arguments<Gives extends "promise" | "value"> {
  readonly gives: Gives;
  readonly takes: Readonly<Record<string, Shape>>;
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
export function promise(takes: Readonly<Record<string, Shape>>): Arguments<"promise"> {
  return { gives: "promise", takes };
}

/** The arguments of a method that gives anything else. */
export function value(takes: Readonly<Record<string, Shape>>): Arguments<"value"> {
  return { gives: "value", takes };
}

/** The service, whose methods of the table refuse with `INVALID_PARAMS` what they do not take. */
export function checked<Service extends object, Names extends keyof Service>(
  service: Service,
  table: ArgumentTable<Service, Names>,
): Service {
  const methods = new Map(Object.entries<Arguments<"promise" | "value">>(table));
  return new Proxy(service, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name, target);
      const method = methods.get(String(name));
      if (typeof member !== "function") return member;
      return (...args: readonly unknown[]): unknown => {
        const run = (): unknown => {
          for (const [index, [path, shape]] of Object.entries(method?.takes ?? {}).entries()) shape(args[index], path);
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
