/** Copies errors from one thread to another, keeping their class. */
import {
  type ErrorDetails,
  ExecutionError,
  HindcastError,
  InternalError,
  LimitError,
  StoreError,
  UnsupportedError,
} from "../../../errors/hindcast-error.ts";

/** An error in a form that can be cloned. */
export interface SerializedError {
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
  /** Undefined for an unexpected error. */
  readonly details: ErrorDetails | undefined;
}

const FAMILIES: Readonly<Record<string, new (details: never) => HindcastError>> = {
  ExecutionError,
  InternalError,
  LimitError,
  StoreError,
  UnsupportedError,
};

/** Values that a message between threads can hold. */
export function serializeError(error: unknown): SerializedError {
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
  return { name, message, stack, details: error instanceof HindcastError ? detailsOf(error) : undefined };
}

function detailsOf({ code, what, where, fix, data, rpcCode }: HindcastError): ErrorDetails {
  return {
    code,
    what,
    rpcCode,
    data,
    ...(where === undefined ? {} : { where }),
    ...(fix === undefined ? {} : { fix }),
  };
}

/** Reverses {@link serializeError}. Errors that are not the library's become {@link InternalError}. */
export function deserializeError({ name, message, stack, details }: SerializedError): Error {
  const cause = new Error(message);
  if (stack !== undefined) cause.stack = stack;
  const Family = FAMILIES[name] ?? HindcastError;
  if (details !== undefined) return new Family(details as never);
  return new InternalError({
    code: "INTERNAL_ERROR",
    what: "The thread of a JavaScript tracer failed.",
    where: message,
    cause,
  });
}
