/** Loads QuickJS, whose WebAssembly is compiled once. Counterpart of `sandbox/load-quickjs.ts`. */
import type { QuickJSSyncVariant, QuickJSWASMModule } from "quickjs-emscripten-core";
import { once } from "../primitives/once.ts";

/** The part of the host's WebAssembly that is used. */
declare const WebAssembly: { compile(bytes: Uint8Array): Promise<object> };

const compiled = once(async () => {
  const { quickJsWasm } = await import("./quickjs-wasm.ts");
  return WebAssembly.compile(quickJsWasm());
});

/** An instance of QuickJS with a memory of its own. */
export async function loadQuickJs(): Promise<QuickJSWASMModule> {
  const [{ newQuickJSWASMModuleFromVariant, newVariant }, variant, wasmModule] = await Promise.all([
    import("quickjs-emscripten-core"),
    import("@jitl/quickjs-wasmfile-release-sync"),
    compiled(),
  ]);
  const base = variant.default as unknown as QuickJSSyncVariant;
  return newQuickJSWASMModuleFromVariant(newVariant(base, { wasmModule }));
}
