/** Schemas of the hexadecimal strings in answers. */

import { hexString, named } from "./json-schema.ts";

export const QUANTITY = named("Quantity", () => hexString("QUANTITY", "(0|[1-9a-f][0-9a-f]*)"));

export const DATA = named("Data", () => hexString("DATA", "([0-9a-f]{2})*"));

export const HASH = named("Hash", () => hexString("32 bytes of DATA that are a hash", "[0-9a-f]{64}"));

export const WORD = named("Word", () => hexString("32 bytes of DATA", "[0-9a-f]{64}"));

export const ADDRESS = named("Address", () => hexString("20 bytes of DATA that are an address", "[0-9a-f]{40}"));

export const NONCE = named("Nonce", () => hexString("8 bytes of DATA", "[0-9a-f]{16}"));

export const BLOOM = named("Bloom", () => hexString("256 bytes of DATA", "[0-9a-f]{512}"));

export const SIGNATURE = named("Signature", () => hexString("65 bytes of DATA: r, s, v", "[0-9a-f]{130}"));

export const HEX = named("Hex", () => hexString("QUANTITY, or DATA at the path form", "[0-9a-f]+"));

export const DECIMAL = named("Decimal", () => ({ title: "decimal digits", type: "string", pattern: "^[0-9]+$" }));
