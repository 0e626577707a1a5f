/** The precompiles of BLS12-381 (EIP-2537). */
import type { Bytes } from "../bytes/bytes.ts";
import type { CurveAnswer, CurveFault } from "./curve-answer.ts";
import type { PairingCurve } from "./pairing-curve.ts";

/** One of the two groups: functions that read, write and compute its points. */
interface Group {
  /** Size of a point in the input, in bytes. */
  readonly width: number;
  /** Size of a point in the library's memory, in bytes. */
  readonly size: number;
  readonly subgroupFault: CurveFault;
  read(to: number, input: Bytes, at: number): CurveFault | undefined;
  write(from: number): Bytes;
  isInSubgroup(point: number): boolean;
  clear(point: number): void;
  add(sum: number, left: number, right: number): void;
  multiplyAll(sum: number, points: number, scalars: number, count: number): void;
}

/** The precompiles, on one instance of mcl. */
export class Bls12381 {
  readonly #curve: PairingCurve;
  readonly #g1: Group;
  readonly #g2: Group;
  /**
   * Terms of a multi-scalar multiplication that are computed together. Larger batches are hardly faster and take more
   * memory.
   */
  readonly #batch = 128;
  /** Addresses of two points of either group, of the points and scalars of a batch, and of a scalar's bytes. */
  readonly #sum: number;
  readonly #addend: number;
  readonly #points: number;
  readonly #scalars: number;
  readonly #bytes: number;

  constructor(curve: PairingCurve) {
    this.#curve = curve;
    const { functions, sizes } = curve.mcl;
    // The map of RFC 9380 for hashing to a curve, which EIP-2537 uses.
    functions.mclBn_setMapToMode(5);
    this.#g1 = {
      width: 128,
      size: sizes.g1,
      subgroupFault: "blsG1Subgroup",
      read: (to, input, at) => curve.readG1(to, input, at),
      write: (from) => curve.writeG1(from),
      isInSubgroup: (point) => functions.mclBnG1_isValidOrder(point) === 1,
      clear: functions.mclBnG1_clear,
      add: functions.mclBnG1_add,
      multiplyAll: functions.mclBnG1_mulVec,
    };
    this.#g2 = {
      width: 256,
      size: sizes.g2,
      subgroupFault: "blsG2Subgroup",
      read: (to, input, at) => curve.readG2(to, input, at),
      write: (from) => curve.writeG2(from),
      isInSubgroup: (point) => functions.mclBnG2_isValidOrder(point) === 1,
      clear: functions.mclBnG2_clear,
      add: functions.mclBnG2_add,
      multiplyAll: functions.mclBnG2_mulVec,
    };
    this.#sum = curve.mcl.allocate(sizes.g2);
    this.#addend = curve.mcl.allocate(sizes.g2);
    this.#points = curve.mcl.allocate(this.#batch * sizes.g2);
    this.#scalars = curve.mcl.allocate(this.#batch * sizes.scalar);
    this.#bytes = curve.mcl.allocate(32);
  }

  addG1(input: Bytes): CurveAnswer {
    return this.#add(this.#g1, input);
  }

  addG2(input: Bytes): CurveAnswer {
    return this.#add(this.#g2, input);
  }

  multiplyG1(input: Bytes): CurveAnswer {
    return this.#multiply(this.#g1, input);
  }

  multiplyG2(input: Bytes): CurveAnswer {
    return this.#multiply(this.#g2, input);
  }

  checkPairings(input: Bytes): CurveAnswer {
    if (input.length === 0 || input.length % 384 !== 0) return { fault: "inputLength" };
    return this.#curve.checkPairings(input, 384, (g1, g2, at) => {
      const fault = this.#g1.read(g1, input, at) ?? (g2 === undefined ? undefined : this.#g2.read(g2, input, at + 128));
      if (fault !== undefined) return fault;
      return this.#subgroupFault(this.#g1, g1) ?? (g2 === undefined ? undefined : this.#subgroupFault(this.#g2, g2));
    });
  }

  mapToG1(input: Bytes): CurveAnswer {
    if (input.length !== 64) return { fault: "inputLength" };
    const fault = this.#curve.readElement(this.#addend, input, 0);
    if (fault !== undefined) return { fault };
    this.#curve.mcl.functions.mclBnFp_mapToG1(this.#sum, this.#addend);
    return { output: this.#g1.write(this.#sum) };
  }

  mapToG2(input: Bytes): CurveAnswer {
    if (input.length !== 128) return { fault: "inputLength" };
    const fault = this.#curve.readExtended(this.#addend, input, 0);
    if (fault !== undefined) return { fault };
    this.#curve.mcl.functions.mclBnFp2_mapToG2(this.#sum, this.#addend);
    return { output: this.#g2.write(this.#sum) };
  }

  /** Adds two points of the curve, which need not be in the subgroup. */
  #add(group: Group, input: Bytes): CurveAnswer {
    if (input.length !== 2 * group.width) return { fault: "inputLength" };
    const fault = group.read(this.#sum, input, 0) ?? group.read(this.#addend, input, group.width);
    if (fault !== undefined) return { fault };
    group.add(this.#sum, this.#sum, this.#addend);
    return { output: group.write(this.#sum) };
  }

  /** The sum of points of the subgroup, each multiplied by its scalar. */
  #multiply(group: Group, input: Bytes): CurveAnswer {
    const termBytes = group.width + 32;
    if (input.length === 0 || input.length % termBytes !== 0) return { fault: "inputLength" };
    const { mcl } = this.#curve;
    const { functions, sizes } = mcl;
    group.clear(this.#sum);
    let count = 0;
    for (let at = 0; at < input.length; at += termBytes) {
      const point = this.#points + count * group.size;
      const fault = group.read(point, input, at) ?? this.#subgroupFault(group, point);
      if (fault !== undefined) return { fault };
      mcl.bytes.set(input.subarray(at + group.width, at + termBytes), this.#bytes);
      functions.mclBnFr_setBigEndianMod(this.#scalars + count * sizes.scalar, this.#bytes, 32);
      count++;
      if (count === this.#batch || at + termBytes === input.length) {
        group.multiplyAll(this.#addend, this.#points, this.#scalars, count);
        group.add(this.#sum, this.#sum, this.#addend);
        count = 0;
      }
    }
    return { output: group.write(this.#sum) };
  }

  #subgroupFault(group: Group, point: number): CurveFault | undefined {
    return group.isInSubgroup(point) ? undefined : group.subgroupFault;
  }
}
