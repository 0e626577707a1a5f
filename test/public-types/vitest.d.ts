/// <reference lib="esnext.disposable" />
import { FixtureOptions, HindcastFixture } from "./library.js";
import "./methods.js";
declare module "vitest" {
    interface Assertion<T> {
        toMatchGasSnapshot(title?: string): Promise<void>;
    }
}
declare function useHindcast(options?: FixtureOptions): HindcastFixture;
export { FixtureOptions, HindcastFixture, useHindcast };
