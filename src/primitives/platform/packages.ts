/** Loads packages when they are first needed, and synchronously: what needs them is not asynchronous. */
import { createRequire } from "node:module";
import { once } from "../once.ts";

/** The part of the host's WebAssembly that is used. TypeScript's own types for it come only with those of the DOM. */
declare const WebAssembly: { readonly Module: new (bytes: Uint8Array) => object };

/** A package by its name, or an error if it cannot be loaded. */
export type Load = (name: string) => unknown;

const required = once(() => createRequire(import.meta.url));

/** Loads the packages that Hindcast depends on. */
export const packages = (): Load => required();

/**
 * Path of the binary for this platform.
 *
 * @param folder - binaries of a package for all platforms, named as `prebuildify` names those of Node-API
 */
export function compiledFile(folder: string, name: string): string {
  const { platform, arch } = process;
  if (platform !== "linux") return `${folder}/${platform}-${arch}/${name}.node`;
  const isAlpine = process.getBuiltinModule("node:fs").existsSync("/etc/alpine-release");
  return `${folder}/${platform}-${arch}/${name}.${isAlpine ? "musl" : "glibc"}.node`;
}

/**
 * Undefined if {@link compileEmbeddedWasm} can compile at once, which it always can in Node: the script is a file.
 * A promise where it has to be fetched first.
 */
export const fetchEmbeddedWasm = (_script: string): Promise<void> | undefined => undefined;

/**
 * Compiles WebAssembly that a script of a package holds as base64.
 *
 * @param pattern - whose first group is the base64
 * @throws {Error} when the script no longer holds its WebAssembly in that way
 */
export function compileEmbeddedWasm(script: string, pattern: RegExp): object {
  const { readFileSync } = process.getBuiltinModule("node:fs");
  const base64 = pattern.exec(readFileSync(required().resolve(script), "latin1"))?.[1];
  if (base64 === undefined) throw new Error(`${script} does not hold its WebAssembly as base64.`);
  return new WebAssembly.Module(Buffer.from(base64, "base64"));
}
