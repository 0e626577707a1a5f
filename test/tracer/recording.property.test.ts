import { describe, it } from "vitest";
import { isSlow } from "../support/seed.ts";
import {
  agreesOnOperations,
  holdsTheSameFrames,
  keepsTheAccountOfGas,
  neverChangesWhatIsRecorded,
  replaysStackAndMemory,
} from "./recording-properties.ts";

const RUNS = isSlow ? 60 : 10;

describe("a recording", () => {
  it("never changes what is recorded", () => neverChangesWhatIsRecorded(RUNS));
  it("gives back stack and memory of every step by replaying", () => replaysStackAndMemory(RUNS));
  it("makes vmTrace and struct logs of the same operations", () => agreesOnOperations(RUNS));
  it("keeps the account of gas from one operation to the next", () => keepsTheAccountOfGas(RUNS));
  it("holds the same frames for flat traces and for the call tree", () => holdsTheSameFrames(RUNS));
});
