/** The conditions of eth_sendRawTransactionConditional (EIP-7796). */
import { z } from "zod";
import type { KnownAccount } from "../../services/submit/conditions.ts";
import { namedMembers } from "./named-members.ts";
import { byAddress, slots } from "./overrides.ts";
import { hash, uint64 } from "./primitives.ts";

const KNOWN_SHAPE = "expected the root of the account's storage, or an object of slots and values";

const knownAccounts = byAddress(
  z.union([hash, slots], { error: KNOWN_SHAPE }),
  "an object of storage roots, or of slots and values, by address",
).transform((list) => list.map(({ key, value }): KnownAccount => ({ address: key, storage: value })));

/** A misspelled member would be a condition that nobody checks, so others are refused. */
export const sendConditions = namedMembers(
  z.object(
    {
      knownAccounts: knownAccounts.optional(),
      blockNumberMin: uint64.optional(),
      blockNumberMax: uint64.optional(),
      timestampMin: uint64.optional(),
      timestampMax: uint64.optional(),
    },
    { error: "expected an object of conditions" },
  ),
  { refusesOthers: true },
);
