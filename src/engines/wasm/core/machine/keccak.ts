// Keccak-256 into words, and a cache of hashes of 64 bytes.

import { beginKeccak, endKeccak, KECCAK_STATE } from "../../../../primitives/hash/core/keccak";
import { copyHash, Word } from "../words/word";

/** Hashes bytes into a word. */
export function keccak(target: Word, source: usize, length: usize): void {
  beginKeccak();
  endKeccak(source, length);
  target.read(KECCAK_STATE);
}

/** Hashes bytes into 32 bytes. */
export function keccakBytes(target: usize, source: usize, length: usize): void {
  beginKeccak();
  endKeccak(source, length);
  copyHash(target, KECCAK_STATE);
}

// Solidity hashes 64 bytes for each access to a mapping, often the same ones.

const CACHE_ENTRY: usize = 112;
const CACHE_ENTRIES: u64 = 1024;
const CACHE = memory.data(114688, 16);

/** Hashes 64 bytes into a word. */
export function keccakOfPair(target: Word, source: usize): void {
  const entry = CACHE + <usize>(mixed(source) & (CACHE_ENTRIES - 1)) * CACHE_ENTRY;
  if (load<u32>(entry, 96) == 1 && memory.compare(entry, source, 64) == 0)
    return target.set(changetype<Word>(entry + 64));
  const hash = changetype<Word>(entry + 64);
  memory.copy(entry, source, 64);
  keccak(hash, source, 64);
  store<u32>(entry, 1, 96);
  target.set(hash);
}

/** Spreads 64 bytes over the cache. @inline */
function mixed(source: usize): u64 {
  let mix: u64 = 0;
  for (let lane: usize = 0; lane < 64; lane += 8)
    mix = (rotl<u64>(mix, 23) ^ load<u64>(source + lane)) * 0x9e3779b97f4a7c15;
  return mix >> 40;
}
