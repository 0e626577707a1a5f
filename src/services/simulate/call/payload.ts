/** Builds a block on any known parent, as for a consensus client, and discards it. */
import type { ChainBlocks, ChainRules, ChainStates } from "../../../chain/readable-chain.ts";
import {
  type BlobSidecar,
  checkSidecar,
  checkSidecarVersion,
  verifyProofs,
  withCellProofs,
} from "../../../chainspec/blob-sidecar.ts";
import type { Rules } from "../../../chainspec/hardforks/rules.ts";
import type { Block, Withdrawal } from "../../../chainspec/header/block.ts";
import { nextBaseFeePerGas } from "../../../chainspec/header/fees.ts";
import { gasLimitTowards } from "../../../chainspec/header/gas-limit.ts";
import { decodeNetworkTransaction } from "../../../chainspec/transaction/decode-transaction.ts";
import type { Receipt } from "../../../chainspec/transaction/receipt.ts";
import { effectiveGasPrice, type Transaction } from "../../../chainspec/transaction/transaction.ts";
import { InvalidParamsError, NotFoundError, UnsupportedError } from "../../../errors/hindcast-error.ts";
import { BLOCK_CHECKS } from "../../../executor/transaction-checks.ts";
import { buildBlock } from "../../../miner/block-builder.ts";
import { requireSeconds } from "../../../miner/clock.ts";
import type { Miner } from "../../../miner/miner.ts";
import type { Bytes } from "../../../primitives/bytes/bytes.ts";
import { encodeData } from "../../../primitives/bytes/hex.ts";
import { mapInTurns } from "../../../primitives/platform/turns.ts";
import type { TxPool } from "../../../txpool/tx-pool.ts";

/** Block attributes that the consensus layer decides (execution-apis PayloadAttributes). */
export interface PayloadAttributes {
  /** seconds */
  readonly timestamp: bigint;
  readonly prevRandao: Bytes;
  readonly feeRecipient: Bytes;
  readonly withdrawals: readonly Withdrawal[];
  readonly parentBeaconBlockRoot?: Bytes | undefined;
  /** With EIP-7843; default: the one at the time. */
  readonly slotNumber?: bigint | undefined;
  /** Gas limit towards which the block's moves; default: the miner's, or else the genesis block's. */
  readonly targetGasLimit?: bigint | undefined;
}

/** The parameters of `testing_buildBlockV1` (execution-apis). */
export interface PayloadRequest {
  readonly parentHash: Bytes;
  readonly attributes: PayloadAttributes;
  /** Network encodings; all of them must be in the block. Undefined takes those of the pool. */
  readonly transactions: readonly Bytes[] | undefined;
  readonly extraData?: Bytes | undefined;
}

/** A block that was built and not added to the chain, with what the engine API returns beside it. */
export interface Payload {
  readonly block: Block;
  /** RLP of its access list; undefined without EIP-7928. */
  readonly blockAccessList?: Bytes | undefined;
  /** Fees that the recipient earns, in wei. */
  readonly value: bigint;
  readonly sidecars: readonly BlobSidecar[];
  /** Type byte and data of each request (EIP-7685). */
  readonly requests: readonly Bytes[];
}

/** Serves `testing_buildBlockV1`. The chain and the pool stay as they are. */
export class PayloadService {
  readonly #chain: ChainBlocks & ChainRules & ChainStates;
  readonly #pool: TxPool;
  readonly #miner: Miner;

  constructor(parts: {
    readonly chain: ChainBlocks & ChainRules & ChainStates;
    readonly pool: TxPool;
    readonly miner: Miner;
  }) {
    this.#chain = parts.chain;
    this.#pool = parts.pool;
    this.#miner = parts.miner;
  }

  /**
   * Builds the block.
   *
   * @throws {NotFoundError} `HEADER_NOT_FOUND` for an unknown parent
   * @throws {InvalidParamsError} for a time not after the parent's, and for bytes that are not a transaction
   * @throws {TransactionRejectedError} if a given transaction, or its sidecar, is not valid in the block
   * @throws {UnsupportedError} `UNSUPPORTED` before the Merge: a payload has no difficulty
   */
  async build(request: PayloadRequest): Promise<Payload> {
    const chain = this.#chain;
    const { attributes, extraData } = request;
    const parent = await this.#requireParent(request);
    const { timestamp, targetGasLimit } = attributes;
    const target = targetGasLimit ?? this.#miner.settings.gasLimit ?? chain.genesis.header.gasLimit;
    const startStateId = chain.stateIdAfter(parent);
    const rules = chain.rulesAfter(parent, timestamp);
    const transactions = await this.#transactionsOf(request, parent, rules);
    const { executed, leftOut, requests } = await buildBlock({
      chain,
      parent,
      state: chain.workingStateAfter(parent, startStateId),
      startStateId,
      timestamp,
      transactions,
      withdrawals: attributes.withdrawals,
      coinbase: attributes.feeRecipient,
      gasLimit: gasLimitTowards(parent.header.gasLimit, target),
      prevRandao: attributes.prevRandao,
      slotNumber: attributes.slotNumber,
      ...(extraData === undefined ? {} : { extraData }),
      ...(attributes.parentBeaconBlockRoot === undefined
        ? {}
        : { parentBeaconBlockRoot: attributes.parentBeaconBlockRoot }),
      isDraft: true,
      checksFor: (tx) => (tx.isImpersonated ? { ...BLOCK_CHECKS, senderIsEoa: false } : BLOCK_CHECKS),
    });
    const refused = leftOut[0];
    if (refused !== undefined && request.transactions !== undefined) throw refused.error;
    const { block, receipts, blockAccessList } = executed;
    const sidecars = await this.#sidecarsOf(block, transactions, rules);
    return { block, blockAccessList, value: tipsOf(block, receipts), sidecars, requests };
  }

  async #requireParent({ parentHash, attributes }: PayloadRequest): Promise<Block> {
    const parent = await this.#chain.getBlockByHash(parentHash);
    if (parent === undefined) {
      throw new NotFoundError({ code: "HEADER_NOT_FOUND", what: `parent block not found: ${encodeData(parentHash)}` });
    }
    const { timestamp } = attributes;
    requireSeconds(timestamp, parent.header.timestamp);
    if (timestamp <= parent.header.timestamp) {
      throw new InvalidParamsError({
        code: "INVALID_PARAMS",
        what: `params[1].timestamp: expected a time after the parent's ${parent.header.timestamp}, got ${timestamp}.`,
      });
    }
    const rules = this.#chain.rulesAfter(parent, timestamp);
    if (rules.has(3675)) return parent;
    throw new UnsupportedError({
      code: "UNSUPPORTED",
      what: `A block of ${rules.hardfork} cannot be a payload: consensus clients ask for blocks from the Merge on.`,
    });
  }

  async #transactionsOf(
    { transactions }: PayloadRequest,
    parent: Block,
    rules: Rules,
  ): Promise<readonly Transaction[]> {
    if (transactions === undefined) return this.#waiting(parent, rules);
    const signatureRules = this.#chain.spec.signatureRules(rules.hardfork);
    const decoded = await mapInTurns(transactions, (bytes) => decodeNetworkTransaction(bytes, signatureRules));
    for (const { sidecar, blobVersionedHashes } of decoded) {
      if (sidecar === undefined) continue;
      checkSidecarVersion(sidecar, rules);
      checkSidecar(sidecar, blobVersionedHashes);
      await verifyProofs(sidecar, this.#chain.spec.proofs);
    }
    return decoded;
  }

  /**
   * Transactions of the pool, except blob transactions whose proofs have the form of a later hardfork (on a parent
   * before the head).
   */
  #waiting(parent: Block, rules: Rules): Transaction[] {
    const executable = this.#pool.executable(nextBaseFeePerGas(parent.header));
    return rules.has(7594) ? executable : executable.filter(({ hash }) => this.#pool.sidecarOf(hash)?.version !== 1);
  }

  /** Blobs of the block's transactions, as far as known, with the proofs of its hardfork. */
  async #sidecarsOf(block: Block, given: readonly Transaction[], rules: Rules): Promise<BlobSidecar[]> {
    const included = new Set(block.transactions);
    const sidecars: BlobSidecar[] = [];
    for (const tx of given) {
      const sidecar = included.has(tx) ? (tx.sidecar ?? this.#pool.sidecarOf(tx.hash)) : undefined;
      if (sidecar === undefined) continue;
      const proven = rules.has(7594) ? await withCellProofs(sidecar, this.#chain.spec.proofs) : sidecar;
      if (proven !== sidecar) this.#pool.replaceSidecar(tx.hash, proven);
      sidecars.push(proven);
    }
    return sidecars;
  }
}

/** Sum that the transactions pay beyond the base fee, in wei. */
function tipsOf({ header, transactions }: Block, receipts: readonly Receipt[]): bigint {
  let value = 0n;
  let before = 0n;
  for (const [index, tx] of transactions.entries()) {
    const cumulative = receipts[index]?.cumulativeGasUsed ?? before;
    const tip = effectiveGasPrice(tx, header.baseFeePerGas) - (header.baseFeePerGas ?? 0n);
    value += (cumulative - before) * tip;
    before = cumulative;
  }
  return value;
}
