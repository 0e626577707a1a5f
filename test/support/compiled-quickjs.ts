/**
 * Keeps the machine code of QuickJS in this process: V8 shares it among threads as long as one of them has it. Most tests of
 * scripts have a node of their own, whose thread would compile it again.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const path = fileURLToPath(import.meta.resolve("@jitl/quickjs-wasmfile-release-sync/wasm"));

interface Host {
  readonly WebAssembly: { readonly Module: new (bytes: Uint8Array) => object };
}

/**
 * Compiled from the bytes that the threads load. Exported so that V8 keeps it, not for a reader.
 *
 * @public
 */
export const compiledQuickJs: object = new (globalThis as unknown as Host).WebAssembly.Module(readFileSync(path));
