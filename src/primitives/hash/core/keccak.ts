// Keccak-256 (FIPS 202 §3 with the padding before standardization: 0x01 where SHA-3 has 0x06).

/** Bytes absorbed per permutation for a hash of 32 bytes. */
const RATE: usize = 136;

/** The state, whose first 32 bytes are the hash when a message has ended. */
export const KECCAK_STATE: usize = memory.data(200, 16);
const ROUND_CONSTANTS = memory.data<u64>([
  0x0000000000000001, 0x0000000000008082, 0x800000000000808a, 0x8000000080008000, 0x000000000000808b,
  0x0000000080000001, 0x8000000080008081, 0x8000000000008009, 0x000000000000008a, 0x0000000000000088,
  0x0000000080008009, 0x000000008000000a, 0x000000008000808b, 0x800000000000008b, 0x8000000000008089,
  0x8000000000008003, 0x8000000000008002, 0x8000000000000080, 0x000000000000800a, 0x800000008000000a,
  0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008,
]);

/** Keccak-f[1600]. Long, because the 25 lanes stay in local variables for all rounds. */
function permute(): void {
  let a0 = load<u64>(KECCAK_STATE);
  let a1 = load<u64>(KECCAK_STATE, 8);
  let a2 = load<u64>(KECCAK_STATE, 16);
  let a3 = load<u64>(KECCAK_STATE, 24);
  let a4 = load<u64>(KECCAK_STATE, 32);
  let a5 = load<u64>(KECCAK_STATE, 40);
  let a6 = load<u64>(KECCAK_STATE, 48);
  let a7 = load<u64>(KECCAK_STATE, 56);
  let a8 = load<u64>(KECCAK_STATE, 64);
  let a9 = load<u64>(KECCAK_STATE, 72);
  let a10 = load<u64>(KECCAK_STATE, 80);
  let a11 = load<u64>(KECCAK_STATE, 88);
  let a12 = load<u64>(KECCAK_STATE, 96);
  let a13 = load<u64>(KECCAK_STATE, 104);
  let a14 = load<u64>(KECCAK_STATE, 112);
  let a15 = load<u64>(KECCAK_STATE, 120);
  let a16 = load<u64>(KECCAK_STATE, 128);
  let a17 = load<u64>(KECCAK_STATE, 136);
  let a18 = load<u64>(KECCAK_STATE, 144);
  let a19 = load<u64>(KECCAK_STATE, 152);
  let a20 = load<u64>(KECCAK_STATE, 160);
  let a21 = load<u64>(KECCAK_STATE, 168);
  let a22 = load<u64>(KECCAK_STATE, 176);
  let a23 = load<u64>(KECCAK_STATE, 184);
  let a24 = load<u64>(KECCAK_STATE, 192);
  for (let round: usize = 0; round < 192; round += 8) {
    const c0 = a0 ^ a5 ^ a10 ^ a15 ^ a20;
    const c1 = a1 ^ a6 ^ a11 ^ a16 ^ a21;
    const c2 = a2 ^ a7 ^ a12 ^ a17 ^ a22;
    const c3 = a3 ^ a8 ^ a13 ^ a18 ^ a23;
    const c4 = a4 ^ a9 ^ a14 ^ a19 ^ a24;
    const d0 = c4 ^ rotl<u64>(c1, 1);
    const d1 = c0 ^ rotl<u64>(c2, 1);
    const d2 = c1 ^ rotl<u64>(c3, 1);
    const d3 = c2 ^ rotl<u64>(c4, 1);
    const d4 = c3 ^ rotl<u64>(c0, 1);
    const b0 = a0 ^ d0;
    const b16 = rotl<u64>(a5 ^ d0, 36);
    const b7 = rotl<u64>(a10 ^ d0, 3);
    const b23 = rotl<u64>(a15 ^ d0, 41);
    const b14 = rotl<u64>(a20 ^ d0, 18);
    const b10 = rotl<u64>(a1 ^ d1, 1);
    const b1 = rotl<u64>(a6 ^ d1, 44);
    const b17 = rotl<u64>(a11 ^ d1, 10);
    const b8 = rotl<u64>(a16 ^ d1, 45);
    const b24 = rotl<u64>(a21 ^ d1, 2);
    const b20 = rotl<u64>(a2 ^ d2, 62);
    const b11 = rotl<u64>(a7 ^ d2, 6);
    const b2 = rotl<u64>(a12 ^ d2, 43);
    const b18 = rotl<u64>(a17 ^ d2, 15);
    const b9 = rotl<u64>(a22 ^ d2, 61);
    const b5 = rotl<u64>(a3 ^ d3, 28);
    const b21 = rotl<u64>(a8 ^ d3, 55);
    const b12 = rotl<u64>(a13 ^ d3, 25);
    const b3 = rotl<u64>(a18 ^ d3, 21);
    const b19 = rotl<u64>(a23 ^ d3, 56);
    const b15 = rotl<u64>(a4 ^ d4, 27);
    const b6 = rotl<u64>(a9 ^ d4, 20);
    const b22 = rotl<u64>(a14 ^ d4, 39);
    const b13 = rotl<u64>(a19 ^ d4, 8);
    const b4 = rotl<u64>(a24 ^ d4, 14);
    a0 = b0 ^ (~b1 & b2) ^ load<u64>(ROUND_CONSTANTS + round);
    a1 = b1 ^ (~b2 & b3);
    a2 = b2 ^ (~b3 & b4);
    a3 = b3 ^ (~b4 & b0);
    a4 = b4 ^ (~b0 & b1);
    a5 = b5 ^ (~b6 & b7);
    a6 = b6 ^ (~b7 & b8);
    a7 = b7 ^ (~b8 & b9);
    a8 = b8 ^ (~b9 & b5);
    a9 = b9 ^ (~b5 & b6);
    a10 = b10 ^ (~b11 & b12);
    a11 = b11 ^ (~b12 & b13);
    a12 = b12 ^ (~b13 & b14);
    a13 = b13 ^ (~b14 & b10);
    a14 = b14 ^ (~b10 & b11);
    a15 = b15 ^ (~b16 & b17);
    a16 = b16 ^ (~b17 & b18);
    a17 = b17 ^ (~b18 & b19);
    a18 = b18 ^ (~b19 & b15);
    a19 = b19 ^ (~b15 & b16);
    a20 = b20 ^ (~b21 & b22);
    a21 = b21 ^ (~b22 & b23);
    a22 = b22 ^ (~b23 & b24);
    a23 = b23 ^ (~b24 & b20);
    a24 = b24 ^ (~b20 & b21);
  }
  store<u64>(KECCAK_STATE, a0);
  store<u64>(KECCAK_STATE, a1, 8);
  store<u64>(KECCAK_STATE, a2, 16);
  store<u64>(KECCAK_STATE, a3, 24);
  store<u64>(KECCAK_STATE, a4, 32);
  store<u64>(KECCAK_STATE, a5, 40);
  store<u64>(KECCAK_STATE, a6, 48);
  store<u64>(KECCAK_STATE, a7, 56);
  store<u64>(KECCAK_STATE, a8, 64);
  store<u64>(KECCAK_STATE, a9, 72);
  store<u64>(KECCAK_STATE, a10, 80);
  store<u64>(KECCAK_STATE, a11, 88);
  store<u64>(KECCAK_STATE, a12, 96);
  store<u64>(KECCAK_STATE, a13, 104);
  store<u64>(KECCAK_STATE, a14, 112);
  store<u64>(KECCAK_STATE, a15, 120);
  store<u64>(KECCAK_STATE, a16, 128);
  store<u64>(KECCAK_STATE, a17, 136);
  store<u64>(KECCAK_STATE, a18, 144);
  store<u64>(KECCAK_STATE, a19, 152);
  store<u64>(KECCAK_STATE, a20, 160);
  store<u64>(KECCAK_STATE, a21, 168);
  store<u64>(KECCAK_STATE, a22, 176);
  store<u64>(KECCAK_STATE, a23, 184);
  store<u64>(KECCAK_STATE, a24, 192);
}

/** Begins a message. */
export function beginKeccak(): void {
  memory.fill(KECCAK_STATE, 0, 200);
}

/** Absorbs a part of the message that is a multiple of 136 bytes. */
export function absorbBlocks(source: usize, length: usize): void {
  const end = source + length;
  for (let block = source; block < end; block += RATE) {
    for (let lane: usize = 0; lane < RATE; lane += 8) {
      store<u64>(KECCAK_STATE + lane, load<u64>(KECCAK_STATE + lane) ^ load<u64>(block + lane));
    }
    permute();
  }
}

/** Absorbs the rest of the message, and what pads it. */
export function endKeccak(source: usize, length: usize): void {
  const rest = length % RATE;
  const at = source + length - rest;
  absorbBlocks(source, length - rest);
  let index: usize = 0;
  for (; index + 8 <= rest; index += 8) {
    store<u64>(KECCAK_STATE + index, load<u64>(KECCAK_STATE + index) ^ load<u64>(at + index));
  }
  for (; index < rest; index++) store<u8>(KECCAK_STATE + index, load<u8>(KECCAK_STATE + index) ^ load<u8>(at + index));
  store<u8>(KECCAK_STATE + rest, load<u8>(KECCAK_STATE + rest) ^ 1);
  store<u8>(KECCAK_STATE + RATE - 1, load<u8>(KECCAK_STATE + RATE - 1) ^ 0x80);
  permute();
}
