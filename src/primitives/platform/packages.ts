/** Loads packages when they are first needed, and synchronously: what needs them is not asynchronous. */
import { createRequire } from "node:module";
import { once } from "../once.ts";

/** The part of the host's WebAssembly that is used. TypeScript's own types for it come only with those of the DOM. */
declare const WebAssembly: { readonly Module: new (bytes: Uint8Array) => object };

/** As CommonJS has it: a package by its name. */
export type Load = NodeJS.Require;

/** Loads packages and files as the module at an address does. */
export const loaderAt = (url: string): Load => createRequire(url);

/** Loads the packages that Hindcast depends on. */
export const packages = once((): Load => loaderAt(import.meta.url));

/**
 * Compiles WebAssembly that a script of a package holds as base64.
 *
 * @param pattern - whose first group is the base64
 * @throws {Error} when the script no longer holds its WebAssembly in that way
 */
export function compileEmbeddedWasm(script: string, pattern: RegExp): object {
  const { readFileSync } = process.getBuiltinModule("node:fs");
  const base64 = pattern.exec(readFileSync(packages().resolve(script), "latin1"))?.[1];
  if (base64 === undefined) throw new Error(`${script} does not hold its WebAssembly as base64.`);
  return new WebAssembly.Module(Buffer.from(base64, "base64"));
}
