/** Keccak-256 and the constants derived from it. */
import { type Bytes, EMPTY_BYTES } from "../bytes/bytes.ts";
import { makeKeccak256 } from "./keccak.ts";

/** `into` writes the hash of a byte string to an array of 32 bytes; `input` and `ofInput` avoid copying the message. */
export const { into: keccak256Into, input: keccakInput, ofInput: keccak256OfInput } = makeKeccak256();

/** Keccak-256 of a byte string, 32 bytes. */
export const keccak256 = (bytes: Bytes): Bytes => keccak256Into(bytes, new Uint8Array(32));

/** keccak256 of the empty string: the code hash of an account without code. */
export const EMPTY_CODE_HASH: Bytes = keccak256(EMPTY_BYTES);

/** keccak256(rlp("")): the root of an empty trie. */
export const EMPTY_TRIE_ROOT: Bytes = keccak256(Uint8Array.of(0x80));

/** keccak256(rlp([])): `sha3Uncles` of a block without uncles. */
export const EMPTY_UNCLES_HASH: Bytes = keccak256(Uint8Array.of(0xc0));

/** 32 zero bytes. Shared, so it must not be changed. */
export const ZERO_HASH: Bytes = new Uint8Array(32);
/** 20 zero bytes. Shared, so it must not be changed. */
export const ZERO_ADDRESS: Bytes = new Uint8Array(20);
