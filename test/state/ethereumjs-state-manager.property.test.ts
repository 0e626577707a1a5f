import { it } from "vitest";
import { behavesLike, REFERENCES } from "./state-manager-properties.ts";

it.each(REFERENCES)("reads and roots like MerkleStateManager $name", (reference) => behavesLike(reference, 12));
