import { it } from "vitest";
import { commitsForksCompletely, followsTheModel, keepsOldStates, knowsOriginals } from "./working-state-properties.ts";

it("reads, reverts, forks and has the roots that a plain map of accounts has", () => followsTheModel(40));
it("commits a fork completely whether or not what it came from was ever stored", () => commitsForksCompletely(20));
it("tells the value a slot had when the transaction began", () => knowsOriginals(30));
it("keeps old states readable while new ones are written over any of them", () => keepsOldStates(10));
