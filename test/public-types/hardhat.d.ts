/// <reference lib="esnext.disposable" />
import { NodeOptions, HindcastNode } from "./index.js";
import "./methods.js";
interface HardhatPluginOptions extends NodeOptions {
    readonly networkName?: string;
    readonly consoleLog?: boolean;
    readonly gasReport?: boolean | string;
    readonly coverage?: boolean | string;
}
interface HindcastConnection {
    readonly hindcast: HindcastNode;
}
interface HindcastHardhatPlugin {
    readonly id: string;
    readonly npmPackage: string;
    hookHandlers: Record<"config" | "network", () => Promise<{
        default: () => Promise<any>;
    }>>;
}
declare function hindcast(options?: HardhatPluginOptions): HindcastHardhatPlugin;
export { hindcast };
export type { HardhatPluginOptions, HindcastConnection, HindcastHardhatPlugin };
