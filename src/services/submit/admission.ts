/** Conditions that a transaction meets before it enters the pool: those of the next block, and those of automine. */
import type { ChainBlocks, ChainRules } from "../../chain/readable-chain.ts";
import type { Rules } from "../../chainspec/hardforks/rules.ts";
import { decodeNetworkTransaction } from "../../chainspec/transaction/decode-transaction.ts";
import { type ChosenSigners, chosenSigner } from "../../chainspec/transaction/signature-overrides.ts";
import type { Transaction } from "../../chainspec/transaction/transaction.ts";
import { FEE_MARKET_TYPE } from "../../chainspec/transaction/transaction-fields.ts";
import { InvalidParamsError, TransactionRejectedError } from "../../errors/hindcast-error.ts";
import type { Clock } from "../../miner/clock.ts";
import type { Miner } from "../../miner/miner.ts";
import { checksumAddress } from "../../primitives/address.ts";
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import { type AdmissionContext, checkLimits, checkType } from "../../txpool/admission.ts";
import type { TransactionDefaults } from "./complete-transaction.ts";

/** Parts of the node that decide whether the next block may have a transaction. */
export interface AdmissionParts {
  readonly chain: ChainBlocks & ChainRules;
  readonly clock: Clock;
  readonly miner: Miner;
  readonly defaults: TransactionDefaults;
}

/** The rules of the hardfork that a block mined now would have. */
export function rulesOfNextBlock({ chain, clock }: Pick<AdmissionParts, "chain" | "clock">): Rules {
  return chain.rulesAfter(chain.head, clock.timestampAfter(chain.head.header.timestamp));
}

/** Conditions that a transaction must meet for the next block. */
export function limitsOfNextBlock({
  chain,
  clock,
  miner,
}: Omit<AdmissionParts, "defaults">): Omit<AdmissionContext, "maxBlobs"> {
  return {
    rules: rulesOfNextBlock({ chain, clock }),
    gasLimit: miner.settings.gasLimit ?? chain.head.header.gasLimit,
    capsGas: chain.spec.capsSentGas,
  };
}

/**
 * Decodes a signed transaction in its network encoding. First refuses a wrong type, chain or size, in geth's words.
 *
 * @throws {InvalidParamsError} `UNDECODABLE_TRANSACTION`
 * @throws {TransactionRejectedError} in geth's words
 */
export function decodeSent(parts: AdmissionParts, bytes: Bytes): Transaction {
  const { chain } = parts;
  const rules = rulesOfNextBlock(parts);
  const [first = 0] = bytes;
  // A first byte from 0xc0 on begins an RLP list: a legacy transaction (EIP-2718).
  if (bytes.length > 0 && first < 0xc0) checkType(first, rules);
  try {
    const tx = fromChosenSigner(
      decodeNetworkTransaction(bytes, chain.spec.signatureRules(rules.hardfork)),
      chain.spec.signersAt(chain.head.header.number + 1n),
    );
    if (tx.chainId !== undefined && tx.chainId !== chain.spec.chainId) throw wrongChain(tx, chain.spec.chainId);
    checkLimits(tx, limitsOfNextBlock(parts));
    tx.sender;
    return tx;
  } catch (error) {
    // geth answers -32000 for a raw transaction that it cannot decode.
    if (!(error instanceof InvalidParamsError)) throw error;
    throw new InvalidParamsError({
      code: "UNDECODABLE_TRANSACTION",
      what: error.what,
      fix: "Give the bytes as a wallet signs them: RLP of a legacy transaction, or its type and RLP (EIP-2718).",
      cause: error,
      rpcCode: -32000,
    });
  }
}

/** The transaction, sent by the signer that was chosen for its signature if there is one. */
function fromChosenSigner(tx: Transaction, signers: ChosenSigners | undefined): Transaction {
  const signer = chosenSigner(signers, tx);
  return signer === undefined ? tx : tx.sentBy(signer);
}

function wrongChain({ chainId: have, type }: Transaction, want: bigint): TransactionRejectedError {
  const what = `invalid sender: invalid chain id for signer: have ${have} want ${want}`;
  return new TransactionRejectedError({ code: "WRONG_CHAIN_ID", what, values: { chainId: have, own: want, type } });
}

/** With automine, a transaction that its nonce keeps from the next block would wait for one that nobody has sent. */
export function checkNoGap({ nonce }: Transaction, next: bigint): void {
  if (nonce <= next) return;
  throw new TransactionRejectedError({
    code: "NONCE_TOO_HIGH",
    what: `nonce too high: next nonce ${next}, tx nonce ${nonce}`,
    values: { expected: next, actual: nonce },
  });
}

/**
 * With automine, a transaction below the base fee, or below the least price before London, would wait for a block that is
 * never mined, so it is refused at once.
 */
export function checkPrice(tx: Transaction, rules: Rules, { defaults, miner }: AdmissionParts): void {
  const { minGasPrice } = miner.settings;
  if (!rules.has(1559) && minGasPrice !== undefined && tx.maxFeePerGas < minGasPrice) {
    throw new TransactionRejectedError({
      code: "TRANSACTION_UNDERPRICED",
      what: `transaction underpriced: gas price ${tx.maxFeePerGas}, minimum needed ${minGasPrice}`,
    });
  }
  const baseFee = defaults.nextBaseFee();
  if (baseFee === undefined || tx.maxFeePerGas >= baseFee) return;
  throw new TransactionRejectedError({
    code: "FEE_CAP_BELOW_BASE_FEE",
    what:
      `max fee per gas less than block base fee: address ${checksumAddress(tx.sender)}, ` +
      `maxFeePerGas: ${tx.maxFeePerGas}, baseFee: ${baseFee}`,
    values: { maxFeePerGas: tx.maxFeePerGas, baseFee, isLegacy: tx.type < FEE_MARKET_TYPE },
  });
}
