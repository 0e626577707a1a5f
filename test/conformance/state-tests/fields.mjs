// Converts a case's block and transaction to the executor's form.

const MAX_UINT8 = 2n ** 8n - 1n;
const MAX_UINT64 = 2n ** 64n - 1n;
const MAX_UINT256 = 2n ** 256n - 1n;
const ZERO_WORD = new Uint8Array(32);
const BLOCK_HASH_WINDOW = 256n;

/** The bytes of hexadecimal digits with or without `0x`. Without Buffer: this runs in browsers as well. */
export function bytesOf(hex) {
  const digits = hex.startsWith("0x") ? hex.slice(2) : hex;
  const pairs = (digits.length % 2 === 0 ? digits : `0${digits}`).match(/../g) ?? [];
  return Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16));
}

/** A number in 32 bytes. */
export const wordOf = (hex) => bytesOf(`0x${hex.slice(2).padStart(64, "0")}`);

/** @typedef {import("../../../src/evm/engine.ts").BlockContext} BlockContext */

/**
 * Makes the contexts of blocks.
 *
 * @param load gives a module of the library by its path
 * @returns {Promise<(env: object, protocol: {spec: object, rules: object}) => BlockContext>} `env` is the entry's; of its
 *   members those count that the hardfork knows
 */
export async function blockReader(load) {
  const { blobBaseFee, nextExcessBlobGas } = await load("chainspec/header/fees");
  const { keccak256 } = await load("primitives/hash/hash");

  const blobBaseFeeOf = (env, { spec, rules }) => {
    const schedule = spec.blobSchedule(rules.hardfork);
    const parent = {
      excessBlobGas: BigInt(env.parentExcessBlobGas ?? 0),
      blobGasUsed: BigInt(env.parentBlobGasUsed ?? 0),
      baseFeePerGas: BigInt(env.currentBaseFee ?? 0),
    };
    const excess = env.currentExcessBlobGas ?? nextExcessBlobGas(parent, rules, schedule);
    return blobBaseFee(BigInt(excess), schedule);
  };

  return (env, protocol) => {
    const { rules } = protocol;
    const number = BigInt(env.currentNumber);
    return {
      hardfork: rules.hardfork,
      number,
      timestamp: BigInt(env.currentTimestamp),
      coinbase: bytesOf(env.currentCoinbase),
      gasLimit: BigInt(env.currentGasLimit),
      difficulty: rules.has(3675) ? 0n : BigInt(env.currentDifficulty ?? 0),
      prevRandao: rules.has(4399) ? wordOf(env.currentRandom ?? "0x0") : ZERO_WORD,
      baseFeePerGas: rules.has(1559) ? BigInt(env.currentBaseFee) : undefined,
      blobBaseFee: rules.has(4844) ? blobBaseFeeOf(env, protocol) : undefined,
      blockHash: (ancestor) =>
        ancestor < number && ancestor + BLOCK_HASH_WINDOW >= number
          ? keccak256(new TextEncoder().encode(String(ancestor)))
          : undefined,
    };
  };
}

/**
 * The transaction that a case picks from the lists of its entry, unsigned: nothing that a state test checks depends on
 * the signature, and `sender` is the address of the key that would sign.
 *
 * @param {{data: number, gas: number, value: number}} indexes
 * @returns {{tx: object} | {rejected: string}} `rejected` says why no encoding of the transaction could be decoded
 */
export function transactionOf(transaction, indexes) {
  const accessList = transaction.accessLists?.[indexes.data] ?? undefined;
  const type = typeOf(transaction, accessList);
  const numbers = {
    nonce: integerOf(transaction.nonce, MAX_UINT64),
    gasLimit: integerOf(transaction.gasLimit[indexes.gas], MAX_UINT64),
    value: integerOf(transaction.value[indexes.value], MAX_UINT256),
    maxFeePerGas: integerOf(transaction.maxFeePerGas ?? transaction.gasPrice, MAX_UINT256),
    maxPriorityFeePerGas: integerOf(transaction.maxPriorityFeePerGas ?? transaction.gasPrice, MAX_UINT256),
    maxFeePerBlobGas: integerOf(transaction.maxFeePerBlobGas ?? "0x0", MAX_UINT256),
  };
  const authorizations = (transaction.authorizationList ?? []).map(authorizationOf);
  const tooLarge = [numbers, ...authorizations].flatMap(nameTooLarge)[0];
  if (tooLarge !== undefined) return { rejected: `${tooLarge} has more bits than a transaction can hold` };
  const tx = {
    ...numbers,
    type,
    sender: bytesOf(transaction.sender),
    to: transaction.to === "" ? undefined : bytesOf(transaction.to),
    data: bytesOf(transaction.data[indexes.data]),
    accessList: (accessList ?? []).map(({ address, storageKeys }) => ({
      address: bytesOf(address),
      storageKeys: storageKeys.map(wordOf),
    })),
    blobVersionedHashes: (transaction.blobVersionedHashes ?? []).map(bytesOf),
    authorizations,
  };
  return { tx };
}

/** Name of a number that does not fit its member. */
const nameTooLarge = (numbers) => Object.keys(numbers).filter((name) => numbers[name] === undefined);

/** Members of an authorization within the bounds of EIP-7702; undefined where one is beyond them. */
function authorizationOf({ chainId, address, nonce, yParity, r, s }) {
  return {
    chainId: integerOf(chainId, MAX_UINT256),
    address: bytesOf(address),
    nonce: integerOf(nonce, MAX_UINT64),
    yParity: integerOf(yParity, MAX_UINT8),
    r: integerOf(r, MAX_UINT256),
    s: integerOf(s, MAX_UINT256),
  };
}

/** EIP-2718 type, by the members that only it has. */
function typeOf({ maxFeePerGas, blobVersionedHashes, authorizationList }, accessList) {
  if (authorizationList !== undefined) return 4;
  if (blobVersionedHashes !== undefined) return 3;
  if (maxFeePerGas !== undefined) return 2;
  return accessList === undefined ? 0 : 1;
}

/** Numbers of more than 256 bits are written `0x:bigint 0x1…`. */
function integerOf(text, most) {
  const value = BigInt(text.replace("0x:bigint ", ""));
  return value <= most ? value : undefined;
}
