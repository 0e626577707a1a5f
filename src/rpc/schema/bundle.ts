/** What eth_callBundle takes, as Flashbots defines it. */
import { z } from "zod";
import type { BundleRequest } from "../../services/simulate/bundle/call-bundle.ts";
import { address, blockId, countOrDecimal, data, quantity } from "./primitives.ts";

export const bundle = z
  .object(
    {
      txs: z.array(data, { error: "expected a list of signed transactions" }),
      blockNumber: countOrDecimal,
      stateBlockNumber: blockId,
      timestamp: countOrDecimal.nullish(),
      timeout: countOrDecimal.nullish(),
      gasLimit: countOrDecimal.nullish(),
      difficulty: quantity.nullish(),
      baseFee: quantity.nullish(),
      coinbase: address.nullish(),
    },
    { error: "expected an object with txs, blockNumber and stateBlockNumber" },
  )
  .transform(
    (members): BundleRequest => ({
      transactions: members.txs,
      stateBlock: members.stateBlockNumber,
      timeoutMs: members.timeout == null ? undefined : Number(members.timeout) * 1000,
      block: {
        number: members.blockNumber,
        timestamp: members.timestamp ?? undefined,
        gasLimit: members.gasLimit ?? undefined,
        difficulty: members.difficulty ?? undefined,
        baseFeePerGas: members.baseFee ?? undefined,
        coinbase: members.coinbase ?? undefined,
      },
    }),
  );
