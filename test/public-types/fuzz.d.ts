/// <reference lib="esnext.disposable" />
import { FuzzOptions, FuzzReport, FuzzCall } from "./library.js";
import { HindcastNode } from "./index.js";
export { FuzzFailure } from "./library.js";
import "./methods.js";
declare function fuzz(node: HindcastNode, options: FuzzOptions): Promise<FuzzReport>;
declare function replay(node: HindcastNode, options: FuzzOptions, calls: readonly FuzzCall[]): Promise<void>;
export { FuzzCall, FuzzOptions, FuzzReport, fuzz, replay };
