/** The WebAssembly of the package `mcl-wasm`, in a file that is loaded on first use. */
import { readBuilt } from "./built-files.ts";

/** Its bytes. */
export const mclWasm = (): Uint8Array => readBuilt("mcl.wasm");
