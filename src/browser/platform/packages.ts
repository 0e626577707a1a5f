/** Packages of the bundle for browsers, by the names that they have in Node. Counterpart of `primitives/platform/packages.ts`. */
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { createContract, Decoder } from "micro-eth-signer/abi.js";

/** The part of the host's WebAssembly that is used. */
declare const WebAssembly: { compile(bytes: Uint8Array): Promise<object> };

/** A package by its name, or an error if it is not there. */
export type Load = (name: string) => unknown;

/** Only the members that are used, so that others are left out of the bundle. */
const PACKAGES: Readonly<Record<string, unknown>> = {
  "@noble/curves/secp256k1.js": { secp256k1 },
  "micro-eth-signer/abi.js": { createContract, Decoder },
};

/** Packages that something loads without waiting for it. */
export const packages = (): Load => load;

/** Path of a binary, which no browser loads. */
export const compiledFile = (folder: string, name: string): string => `${folder}/${name}.node`;

function load(name: string): unknown {
  if (Object.hasOwn(PACKAGES, name)) return PACKAGES[name];
  throw new Error(`The bundle for browsers does not have ${name}.`);
}

const state: { compiled?: object; fetching?: Promise<void> | undefined } = {};

/** Undefined as soon as mcl is there; before that, a promise. One that failed is tried again. */
export function fetchEmbeddedWasm(_script: string): Promise<void> | undefined {
  if (state.compiled !== undefined) return undefined;
  state.fetching ??= fetchMcl().finally(() => {
    state.fetching = undefined;
  });
  return state.fetching;
}

async function fetchMcl(): Promise<void> {
  const { mclWasm } = await import("./mcl-wasm.ts");
  state.compiled = await WebAssembly.compile(mclWasm());
}

/** The WebAssembly of mcl. @throws {Error} before {@link fetchEmbeddedWasm} was awaited */
export function compileEmbeddedWasm(script: string, _pattern: RegExp): object {
  if (state.compiled === undefined) throw new Error(`${script} was not fetched.`);
  return state.compiled;
}
