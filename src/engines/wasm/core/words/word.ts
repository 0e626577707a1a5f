// Words of 256 bits, as on the EVM's stack and in all tables. Only memory, call data and hashes are big-endian.

/** A word: four 64-bit numbers, the least significant first. */
@unmanaged
export class Word {
  limb0: u64;
  limb1: u64;
  limb2: u64;
  limb3: u64;

  /** The lower and the upper half, for operations on bits. */
  @inline get lower(): v128 {
    return v128.load(changetype<usize>(this));
  }

  @inline setLower(bits: v128): void {
    v128.store(changetype<usize>(this), bits);
  }

  @inline get upper(): v128 {
    return v128.load(changetype<usize>(this), 16);
  }

  @inline setUpper(bits: v128): void {
    v128.store(changetype<usize>(this), bits, 16);
  }

  /** The limb at an offset in bytes. */
  @inline limbAt(offset: usize): u64 {
    return load<u64>(changetype<usize>(this) + offset);
  }

  @inline setLimbAt(offset: usize, limb: u64): void {
    store<u64>(changetype<usize>(this) + offset, limb);
  }

  /** A byte, counted from the most significant one. */
  @inline byteAt(index: usize): u8 {
    return load<u8>(changetype<usize>(this) + 31 - index);
  }

  /** The lowest 32 bits: of a place in memory that is paid for, there are no others. */
  @inline get lowest32(): u32 {
    return load<u32>(changetype<usize>(this));
  }

  // ---- Assignments.

  @inline setZero(): void {
    this.setLower(i64x2.splat(0));
    this.setUpper(i64x2.splat(0));
  }

  @inline setSmall(value: u64): void {
    this.limb0 = value;
    this.limb1 = 0;
    this.setUpper(i64x2.splat(0));
  }

  @inline set(source: Word): void {
    const lower = source.lower;
    const upper = source.upper;
    this.setLower(lower);
    this.setUpper(upper);
  }

  @inline swap(other: Word): void {
    const lower = this.lower;
    const upper = this.upper;
    const otherLower = other.lower;
    const otherUpper = other.upper;
    this.setLower(otherLower);
    this.setUpper(otherUpper);
    other.setLower(lower);
    other.setUpper(upper);
  }

  // ---- Comparisons.

  @inline get isZero(): bool {
    return (this.limb0 | this.limb1 | this.limb2 | this.limb3) == 0;
  }

  /** True for a number of 64 bits. */
  @inline get isSmall(): bool {
    return (this.limb1 | this.limb2 | this.limb3) == 0;
  }

  /** The word as a 64-bit number, or the largest such number if the word is larger. */
  @inline get saturated(): u64 {
    return this.isSmall ? this.limb0 : u64.MAX_VALUE;
  }

  @inline isEqual(other: Word): bool {
    return (
      ((this.limb0 ^ other.limb0) |
        (this.limb1 ^ other.limb1) |
        (this.limb2 ^ other.limb2) |
        (this.limb3 ^ other.limb3)) ==
      0
    );
  }

  @inline isBelow(other: Word): bool {
    let x = this.limb3;
    let y = other.limb3;
    if (x != y) return x < y;
    x = this.limb2;
    y = other.limb2;
    if (x != y) return x < y;
    x = this.limb1;
    y = other.limb1;
    if (x != y) return x < y;
    return this.limb0 < other.limb0;
  }

  /** True for a negative number in two's complement. */
  @inline get isNegative(): bool {
    return <i64>this.limb3 < 0;
  }

  /** Compares as two's complement numbers. */
  @inline isSignedBelow(other: Word): bool {
    const x = <i64>this.limb3;
    const y = <i64>other.limb3;
    return x != y ? x < y : this.isBelow(other);
  }

  // ---- Sums.

  /** Becomes `left + right`; true on overflow. */
  setSum(left: Word, right: Word): bool {
    let carry: u64 = 0;
    for (let offset: usize = 0; offset < 32; offset += 8) {
      const x = left.limbAt(offset);
      const partial = x + right.limbAt(offset);
      const total = partial + carry;
      carry = u64(partial < x) | u64(total < partial);
      this.setLimbAt(offset, total);
    }
    return carry != 0;
  }

  /** Becomes `left - right`, in two's complement. */
  @inline setDifference(left: Word, right: Word): void {
    const x0 = left.limb0;
    const y0 = right.limb0;
    const d0 = x0 - y0;
    const borrow0 = u64(x0 < y0);
    const x1 = left.limb1;
    const y1 = right.limb1;
    const d1 = x1 - y1;
    const borrow1 = u64(x1 < y1) | u64(d1 < borrow0);
    const x2 = left.limb2;
    const y2 = right.limb2;
    const d2 = x2 - y2;
    const borrow2 = u64(x2 < y2) | u64(d2 < borrow1);
    const d3 = left.limb3 - right.limb3 - borrow2;
    this.limb0 = d0;
    this.limb1 = d1 - borrow0;
    this.limb2 = d2 - borrow1;
    this.limb3 = d3;
  }

  // ---- Bytes.

  /** Number of bits without leading zeros. */
  bitLength(): u32 {
    for (let end: usize = 32; end > 0; end -= 8) {
      const limb = this.limbAt(end - 8);
      if (limb != 0) return <u32>((end << 3) - <usize>clz<u64>(limb));
    }
    return 0;
  }

  /** Number of bytes without leading zeros. */
  @inline byteLength(): u32 {
    return (this.bitLength() + 7) >> 3;
  }

  /** Reads 32 bytes, the most significant first. */
  @inline read(source: usize): void {
    reverse(changetype<usize>(this), source);
  }

  /** Writes 32 bytes, the most significant first. */
  @inline write(target: usize): void {
    reverse(target, changetype<usize>(this));
  }

  // ---- Addresses: the lowest 160 bits.

  /** Becomes the address in another word's lowest 160 bits. */
  @inline setAddress(source: Word): void {
    const low = source.limb0;
    const middle = source.limb1;
    const high = source.limb2 & 0xffffffff;
    this.limb0 = low;
    this.limb1 = middle;
    this.limb2 = high;
    this.limb3 = 0;
  }

  /** Reads the 20 bytes of an address. */
  readAddress(source: usize): void {
    this.limb0 = bswap<u64>(load<u64>(source, 12));
    this.limb1 = bswap<u64>(load<u64>(source, 4));
    this.limb2 = bswap<u32>(load<u32>(source));
    this.limb3 = 0;
  }

  /** Writes the address as 20 bytes. */
  writeAddress(target: usize): void {
    store<u32>(target, bswap<u32>(<u32>this.limb2));
    store<u64>(target, bswap<u64>(this.limb1), 4);
    store<u64>(target, bswap<u64>(this.limb0), 12);
  }
}

/** Copies a hash, 32 bytes that stay big-endian. @inline */
export function copyHash(target: usize, source: usize): void {
  changetype<Word>(target).set(changetype<Word>(source));
}

/** Copies 32 bytes in reverse order. @inline */
function reverse(target: usize, source: usize): void {
  const first = v128.load(source);
  const last = v128.load(source, 16);
  v128.store(target, i8x16.shuffle(last, last, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0));
  v128.store(target, i8x16.shuffle(first, first, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0), 16);
}
