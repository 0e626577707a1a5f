/** Makes the transaction of one call of eth_simulateV1, and the error if it is not valid. */

import type { Rules } from "../../../chainspec/hardforks/rules.ts";
import { type CallRequest, transactionOfCall } from "../../../chainspec/transaction/call-request.ts";
import {
  BLOB_TYPE,
  FEE_MARKET_TYPE,
  LEGACY_TYPE,
  SET_CODE_TYPE,
  type TransactionFields,
} from "../../../chainspec/transaction/transaction-fields.ts";
import type { ErrorCode } from "../../../errors/catalogue.ts";
import { TransactionRejectedError } from "../../../errors/hindcast-error.ts";
import { BLOCK_CHECKS, type ChecksWanted } from "../../../executor/transaction-checks.ts";
import { ZERO_ADDRESS } from "../../../primitives/hash/hash.ts";
import type { WorkingState } from "../../../state/working/working-state.ts";
import { type GasBound, isTooLittleGas, simulationBound } from "../call/gas-bound.ts";

/** Validation checks everything but the signature, EIP-3607 (sender without code) and EIP-7825 (gas cap). */
export const VALIDATION_CHECKS: ChecksWanted = { ...BLOCK_CHECKS, senderIsEoa: false, gasCap: false };

/** Gas that a call may use. */
export interface GasAllowance {
  /** Gas limit of the block minus the gas its calls used. */
  readonly inBlock: bigint;
  /** Gas limit of the simulation minus the gas used so far. */
  readonly inSimulation: bigint;
  /** Gas limit of the simulation. */
  readonly simulation: bigint;
}

/**
 * The transaction of a call, and the bound if it has less gas than it asks for. The nonce defaults to the sender's next,
 * the gas limit to the gas left in the block, the price to zero. Members decide the type as in geth: a `gasPrice` makes it
 * legacy.
 *
 * @throws {TransactionRejectedError} `SIMULATED_BLOCK_FULL` if the block has less gas left than the call asks for
 */
export async function transactionOf(
  call: CallRequest,
  state: WorkingState,
  rules: Rules,
  allowance: GasAllowance,
): Promise<{ readonly tx: TransactionFields; readonly bound: GasBound | undefined }> {
  const asked = call.gasLimit ?? allowance.inBlock;
  if (asked > allowance.inBlock) {
    throw new TransactionRejectedError({
      code: "SIMULATED_BLOCK_FULL",
      what: `block gas limit reached: remaining: ${allowance.inBlock}, required: ${asked}`,
    });
  }
  const isBounded = asked > allowance.inSimulation;
  const gasLimit = isBounded ? allowance.inSimulation : asked;
  const bound = isBounded ? simulationBound(allowance.simulation) : undefined;
  const sender = await state.getAccount(call.from ?? ZERO_ADDRESS);
  const tx = transactionOfCall(call, gasLimit, sender?.nonce ?? 0n);
  if (rules.has(1559)) return { tx: { ...tx, gasLimit, type: typeOf(call) }, bound };
  const gasPrice = call.gasPrice ?? 0n;
  const fees = { maxFeePerGas: gasPrice, maxPriorityFeePerGas: gasPrice };
  return { tx: { ...tx, gasLimit, type: LEGACY_TYPE, ...fees }, bound };
}

function typeOf(call: CallRequest): number {
  if (call.gasPrice !== undefined) return LEGACY_TYPE;
  if (call.authorizations !== undefined) return SET_CODE_TYPE;
  return call.blobVersionedHashes === undefined ? FEE_MARKET_TYPE : BLOB_TYPE;
}

/** Error numbers of execution-apis for transactions that are not valid. */
const RPC_CODES: Readonly<Partial<Record<ErrorCode, number>>> = {
  NONCE_TOO_LOW: -38010,
  NONCE_TOO_HIGH: -38011,
  FEE_CAP_BELOW_BASE_FEE: -38012,
  INTRINSIC_GAS_TOO_LOW: -38013,
  FLOOR_GAS_TOO_LOW: -38013,
  INSUFFICIENT_FUNDS: -38014,
  INIT_CODE_TOO_LARGE: -38025,
  TIP_ABOVE_FEE_CAP: -32602,
};
const OTHER_REJECTION = -32603;

/** The error that ends a simulation if a transaction is not valid: geth's text with the gas it had. */
export function rejectionOf(
  error: TransactionRejectedError,
  gasLimit: bigint,
  bound: GasBound | undefined,
): TransactionRejectedError {
  return new TransactionRejectedError({
    code: error.code as ConstructorParameters<typeof TransactionRejectedError>[0]["code"],
    what: `err: ${error.what} (supplied gas ${gasLimit})`,
    rpcCode: RPC_CODES[error.code] ?? OTHER_REJECTION,
    cause: error,
    ...(isTooLittleGas(error) ? bound?.() : {}),
  });
}
