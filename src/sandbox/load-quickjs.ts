/** Loads QuickJS: a package of JavaScript, and one of WebAssembly. */
import type { QuickJSSyncVariant, QuickJSWASMModule } from "quickjs-emscripten-core";

/** An instance of QuickJS with a memory of its own. */
export async function loadQuickJs(): Promise<QuickJSWASMModule> {
  const [{ newQuickJSWASMModuleFromVariant }, variant] = await Promise.all([
    import("quickjs-emscripten-core"),
    import("@jitl/quickjs-wasmfile-release-sync"),
  ]);
  // Its type declarations are those of the CommonJS build, whose default export is one level deeper.
  return newQuickJSWASMModuleFromVariant(variant.default as unknown as QuickJSSyncVariant);
}
