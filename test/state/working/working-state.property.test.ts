import { it } from "vitest";
import { runs } from "../../support/seed.ts";
import {
  commitsForksCompletely,
  followsTheModel,
  keepsOldStates,
  knowsOfStorage,
} from "../working-state-properties.ts";

it("reads, forks, tells changes and has the roots that a plain map of accounts has", () => followsTheModel(runs(40)));
it("commits a fork completely whether or not what it came from was ever stored", () =>
  commitsForksCompletely(runs(20)));
it("knows whether an account has storage", () => knowsOfStorage(runs(30)));
it("keeps old states readable while new ones are written over any of them", () => keepsOldStates(runs(10)));
