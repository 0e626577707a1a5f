// Values of the block and the transaction (yellow paper §9.3, execution environment). The host writes them.

import { Word } from "../words/word";

/** The environment of messages: words. */
@unmanaged
export class Environment {
  private coinbaseLow: v128;
  private coinbaseHigh: v128;
  private timestampLow: v128;
  private timestampHigh: v128;
  private numberLow: v128;
  private numberHigh: v128;
  private difficultyLow: v128;
  private difficultyHigh: v128;
  private gasLimitLow: v128;
  private gasLimitHigh: v128;
  private chainIdLow: v128;
  private chainIdHigh: v128;
  private baseFeeLow: v128;
  private baseFeeHigh: v128;
  private blobBaseFeeLow: v128;
  private blobBaseFeeHigh: v128;
  private slotNumberLow: v128;
  private slotNumberHigh: v128;
  private originLow: v128;
  private originHigh: v128;
  private gasPriceLow: v128;
  private gasPriceHigh: v128;

  /** The address that receives the fees of the block. */
  @inline get coinbase(): Word {
    return changetype<Word>(changetype<usize>(this) + offsetof<Environment>("coinbaseLow"));
  }

  @inline get timestamp(): Word {
    return changetype<Word>(changetype<usize>(this) + offsetof<Environment>("timestampLow"));
  }

  @inline get number(): Word {
    return changetype<Word>(changetype<usize>(this) + offsetof<Environment>("numberLow"));
  }

  /** Or what PREVRANDAO pushes (EIP-4399). */
  @inline get difficulty(): Word {
    return changetype<Word>(changetype<usize>(this) + offsetof<Environment>("difficultyLow"));
  }

  @inline get gasLimit(): Word {
    return changetype<Word>(changetype<usize>(this) + offsetof<Environment>("gasLimitLow"));
  }

  @inline get chainId(): Word {
    return changetype<Word>(changetype<usize>(this) + offsetof<Environment>("chainIdLow"));
  }

  @inline get baseFee(): Word {
    return changetype<Word>(changetype<usize>(this) + offsetof<Environment>("baseFeeLow"));
  }

  @inline get blobBaseFee(): Word {
    return changetype<Word>(changetype<usize>(this) + offsetof<Environment>("blobBaseFeeLow"));
  }

  @inline get slotNumber(): Word {
    return changetype<Word>(changetype<usize>(this) + offsetof<Environment>("slotNumberLow"));
  }

  /** Sender and gas price of the transaction. */
  @inline get origin(): Word {
    return changetype<Word>(changetype<usize>(this) + offsetof<Environment>("originLow"));
  }

  @inline get gasPrice(): Word {
    return changetype<Word>(changetype<usize>(this) + offsetof<Environment>("gasPriceLow"));
  }
}

export const environment: Environment = changetype<Environment>(memory.data(offsetof<Environment>(), 16));
