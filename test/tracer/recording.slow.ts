import { it } from "vitest";
import {
  agreesOnOperations,
  holdsTheSameFrames,
  keepsTheAccountOfGas,
  neverChangesWhatIsRecorded,
  replaysStackAndMemory,
} from "./recording-properties.ts";

const RUNS = 5000;

it("never changes what is recorded, thousands of times", () => neverChangesWhatIsRecorded(RUNS));
it("gives back stack and memory of every step by replaying, thousands of times", () => replaysStackAndMemory(RUNS));
it("makes vmTrace and struct logs of the same operations, thousands of times", () => agreesOnOperations(RUNS));
it("keeps the account of gas from one operation to the next, thousands of times", () => keepsTheAccountOfGas(RUNS));
it("holds the same frames for flat traces and for the call tree, thousands of times", () => holdsTheSameFrames(RUNS));
