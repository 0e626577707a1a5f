/** The WebAssembly of QuickJS, in a file that is loaded on first use. */
import { readBuilt } from "./platform/built-files.ts";

/** Its bytes. */
export const quickJsWasm = (): Uint8Array => readBuilt("quickjs.wasm");
