/// <reference lib="esnext.disposable" />
import { FixtureOptions, HindcastFixture } from "./library.js";
import "./methods.js";
declare function useHindcast(options?: FixtureOptions): HindcastFixture;
export { FixtureOptions, HindcastFixture, useHindcast };
