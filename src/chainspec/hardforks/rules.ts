/** The protocol's rules at one hardfork: its EIPs, and the numbers that follow from several of them. */
import { EIPS, type Eip, hasEip } from "./eips.ts";
import type { Hardfork } from "./hardforks.ts";

/** Protocol rules at one hardfork, other than those of opcodes. Rewards in wei. */
export interface Rules {
  readonly hardfork: Hardfork;
  /** True if the hardfork has the EIP. */
  has(eip: Eip): boolean;
  readonly blockReward: bigint;
  /** Blocks by which the difficulty bomb is delayed. */
  readonly difficultyBombDelay: bigint;
  readonly calldataNonZeroGas: bigint;
  readonly maxRefundQuotient: bigint;
  /** Most bytes of a contract's code, where they are limited (EIP-170). */
  readonly maxCodeSize: number;
  /** Most bytes of a creation's init code, where they are limited (EIP-3860). */
  readonly maxInitCodeSize: number;
}

const ETHER = 10n ** 18n;
/** Bytes (EIP-170). The limit of init code is twice that (EIP-3860). */
const MAX_CODE_SIZE = 24_576;
/** Bytes (EIP-7954). */
const LARGER_MAX_CODE_SIZE = 65_536;

/** The rules of one hardfork. */
export function rulesOf(hardfork: Hardfork): Rules {
  const eips: ReadonlySet<Eip> = new Set(EIPS.filter((eip) => hasEip(hardfork, eip)));
  const has = (eip: Eip): boolean => eips.has(eip);
  const maxCodeSize = has(7954) ? LARGER_MAX_CODE_SIZE : MAX_CODE_SIZE;
  return {
    hardfork,
    has,
    blockReward: blockReward(has),
    difficultyBombDelay: bombDelay(has),
    // EIP-2028
    calldataNonZeroGas: has(2028) ? 16n : 68n,
    // EIP-3529
    maxRefundQuotient: has(3529) ? 5n : 2n,
    maxCodeSize,
    maxInitCodeSize: 2 * maxCodeSize,
  };
}

/** EIP-649, EIP-1234, EIP-3675. */
function blockReward(has: Rules["has"]): bigint {
  if (has(3675)) return 0n;
  if (has(1234)) return 2n * ETHER;
  return has(649) ? 3n * ETHER : 5n * ETHER;
}

/** EIP-649, EIP-1234, EIP-2384, EIP-3554, EIP-4345, EIP-5133. */
function bombDelay(has: Rules["has"]): bigint {
  if (has(5133)) return 11_400_000n;
  if (has(4345)) return 10_700_000n;
  if (has(3554)) return 9_700_000n;
  if (has(2384)) return 9_000_000n;
  if (has(1234)) return 5_000_000n;
  return has(649) ? 3_000_000n : 0n;
}
