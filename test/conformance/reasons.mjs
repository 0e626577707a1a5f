// The reasons for which the Execution Spec Tests expect a refusal, and the texts of our errors that name the same one.
//
// Where two rules are broken at once, either may be found first: such reasons have the other's text, too.

const FORMAT = /not in valid format|^Malformed block|has more bits than a transaction can hold/;
const TYPE = /transaction type not supported|the transaction type \d+ is unknown/;
const SIGNATURE =
  /signature is not valid|its v is neither|its y parity is neither|the s of its signature|not in valid format/;
const LOW_GAS = /intrinsic gas too low|insufficient gas for floor data gas cost/;
const MANY_BLOBS =
  /too many blobs in transaction|it has \d+ blobs, over|more blobs than a block may have|blobGasUsed \d+ exceeds/;
const BLOCK_GAS = /gas limit reached|its gas limit is above the block's/;
const FUNDS = /insufficient funds/;
const UNKNOWN_PARENT = /its parent is unknown/;
const UNCLE_PARENT = /has no ancestor of the last 7 generations as parent|is a sibling/;
const MEMBERS = /is missing in|is not allowed in|are missing in|are not allowed in|^Malformed block/;
const ACCESS_LIST = /blockAccessListHash does not match|its access list has/;

const TRANSACTION = {
  TYPE_NOT_SUPPORTED: TYPE,
  SENDER_NOT_EOA: /sender not an eoa/,
  NONCE_MISMATCH_TOO_HIGH: /nonce too high/,
  NONCE_MISMATCH_TOO_LOW: /nonce too low/,
  NONCE_TOO_BIG: /nonce has max value|its nonce is not below/,
  NONCE_IS_MAX: /nonce has max value|nonce too high|nonce too low/,
  NONCE_OVERFLOW: FORMAT,
  GASLIMIT_OVERFLOW: FORMAT,
  VALUE_OVERFLOW: FORMAT,
  GASPRICE_OVERFLOW: FORMAT,
  PRIORITY_OVERFLOW: FORMAT,
  GASLIMIT_PRICE_PRODUCT_OVERFLOW: FUNDS,
  ADDRESS_TOO_SHORT: FORMAT,
  ADDRESS_TOO_LONG: FORMAT,
  INVALID_SIGNATURE_VRS: SIGNATURE,
  EC_RECOVERY_FAIL: SIGNATURE,
  INVALID_CHAINID: /it is signed for chain/,
  INSUFFICIENT_ACCOUNT_FUNDS: FUNDS,
  INSUFFICIENT_MAX_FEE_PER_GAS: /max fee per gas less than block base fee/,
  INSUFFICIENT_MAX_FEE_PER_BLOB_GAS: /max fee per blob gas less than block blob gas fee/,
  PRIORITY_GREATER_THAN_MAX_FEE_PER_GAS: /max priority fee per gas higher than max fee per gas/,
  PRIORITY_GREATER_THAN_MAX_FEE_PER_GAS_2: /max priority fee per gas higher than max fee per gas/,
  INTRINSIC_GAS_TOO_LOW: LOW_GAS,
  INTRINSIC_GAS_BELOW_FLOOR_GAS_COST: LOW_GAS,
  INITCODE_SIZE_EXCEEDED: /max initcode size exceeded/,
  GAS_ALLOWANCE_EXCEEDED: BLOCK_GAS,
  GAS_LIMIT_EXCEEDS_MAXIMUM: /transaction gas limit too high|insufficient gas for floor data gas cost: intrinsic cost/,
  TYPE_1_TX_PRE_FORK: TYPE,
  TYPE_2_TX_PRE_FORK: TYPE,
  TYPE_3_TX_PRE_FORK: TYPE,
  TYPE_3_TX_ZERO_BLOBS_PRE_FORK: TYPE,
  TYPE_4_TX_PRE_FORK: TYPE,
  TYPE_3_TX_INVALID_BLOB_VERSIONED_HASH: /has invalid hash version/,
  TYPE_3_TX_WITH_FULL_BLOBS: FORMAT,
  TYPE_3_TX_BLOB_COUNT_EXCEEDED: MANY_BLOBS,
  TYPE_3_TX_MAX_BLOB_GAS_ALLOWANCE_EXCEEDED: MANY_BLOBS,
  TYPE_3_TX_CONTRACT_CREATION: /blob transaction of type create|not in valid format/,
  TYPE_3_TX_ZERO_BLOBS: /blob transaction missing blob hashes/,
  TYPE_4_EMPTY_AUTHORIZATION_LIST: /with empty auth list/,
  TYPE_4_INVALID_AUTHORITY_SIGNATURE: FORMAT,
  TYPE_4_INVALID_AUTHORITY_SIGNATURE_S_TOO_HIGH: FORMAT,
  TYPE_4_INVALID_AUTHORIZATION_FORMAT: FORMAT,
  TYPE_4_TX_CONTRACT_CREATION: /cannot be used to create contract|not in valid format/,
};

const BLOCK = {
  TOO_MANY_UNCLES: /uncles, at most 2 are allowed/,
  UNCLE_IN_CHAIN: /is included twice|is an ancestor/,
  UNCLE_IS_ANCESTOR: /is an ancestor/,
  UNCLE_IS_BROTHER: /is included twice|is a sibling/,
  UNCLE_PARENT_INCORRECT: UNCLE_PARENT,
  UNCLE_UNKNOWN_PARENT: UNCLE_PARENT,
  EXTRA_DATA_TOO_BIG: /extraData has \d+ bytes, over 32/,
  EXTRA_DATA_INVALID_DAO: /extraData is not "dao-hard-fork"/,
  UNKNOWN_PARENT,
  UNKNOWN_PARENT_ZERO: UNKNOWN_PARENT,
  GASLIMIT_TOO_BIG: /exceeds 2\^63-1|differs from the parent's/,
  INVALID_GASLIMIT: /gasLimit \d+ (differs from the parent's|is below|exceeds)/,
  INVALID_BLOCK_NUMBER: /number is not the parent's plus one/,
  INVALID_BLOCK_TIMESTAMP_OLDER_THAN_PARENT: /timestamp \d+ is not after the parent's/,
  INVALID_DIFFICULTY: /difficulty \d+ is not/,
  INVALID_LOG_BLOOM: /logsBloom does not match/,
  INVALID_STATE_ROOT: /stateRoot 0x\w+ is not/,
  INVALID_RECEIPTS_ROOT: /receiptsRoot does not match/,
  INVALID_TRANSACTIONS_ROOT: /transactionsRoot does not match/,
  INVALID_UNCLES_HASH: /sha3Uncles does not match/,
  INVALID_WITHDRAWALS_ROOT: /withdrawalsRoot does not match/,
  INVALID_BASEFEE_PER_GAS: /baseFeePerGas \d+ is not/,
  GAS_USED_OVERFLOW: /gas limit reached|gasUsed \d+ exceeds gasLimit/,
  INVALID_GAS_USED: /gasUsed \d+ is not/,
  INVALID_GAS_USED_ABOVE_LIMIT: /gasUsed \d+ exceeds gasLimit/,
  INCORRECT_BLOCK_FORMAT: MEMBERS,
  BLOB_GAS_USED_ABOVE_LIMIT: /blobGasUsed \d+ exceeds|it has \d+ blobs, over/,
  INCORRECT_BLOB_GAS_USED: /blobGasUsed \d+ (is not|exceeds|is no multiple)/,
  INCORRECT_EXCESS_BLOB_GAS: /excessBlobGas \d+ is not/,
  INVALID_VERSIONED_HASHES: /blobGasUsed \d+ is not|has invalid hash version/,
  RLP_STRUCTURES_ENCODING: FORMAT,
  RLP_WITHDRAWALS_NOT_READ: MEMBERS,
  RLP_INVALID_FIELD_OVERFLOW_64: FORMAT,
  RLP_INVALID_ADDRESS: FORMAT,
  RLP_BLOCK_LIMIT_EXCEEDED: /it has \d+ bytes, over 8388608/,
  INVALID_REQUESTS: /requestsHash does not match/,
  INVALID_DEPOSIT_EVENT_LAYOUT: /deposit event has an invalid layout/,
  SYSTEM_CONTRACT_EMPTY: /has no code/,
  SYSTEM_CONTRACT_CALL_FAILED: /system call of 0x\w{40} failed/,
  INVALID_BLOCK_HASH: /does not match|is not/,
  IMPORT_IMPOSSIBLE_LEGACY: MEMBERS,
  IMPORT_IMPOSSIBLE_LEGACY_WRONG_PARENT: MEMBERS,
  IMPORT_IMPOSSIBLE_LONDON_WRONG_PARENT: MEMBERS,
  IMPORT_IMPOSSIBLE_LONDON_OVER_PARIS:
    /difficulty \d+ is not 0 after the Merge|nonce is not zero|are uncles after the Merge/,
  IMPORT_IMPOSSIBLE_PARIS_WRONG_POW: /difficulty \d+ is not/,
  IMPORT_IMPOSSIBLE_PARIS_WRONG_POS: /difficulty \d+ is not/,
  IMPORT_IMPOSSIBLE_PARIS_OVER_SHANGHAI: MEMBERS,
  IMPORT_IMPOSSIBLE_SHANGHAI: MEMBERS,
  IMPORT_IMPOSSIBLE_UNCLES_OVER_PARIS: /are uncles after the Merge/,
  IMPORT_IMPOSSIBLE_DIFFICULTY_OVER_PARIS: /difficulty \d+ is not 0 after the Merge/,
  INVALID_BLOCK_ACCESS_LIST: ACCESS_LIST,
  INVALID_BAL_HASH: ACCESS_LIST,
  INVALID_BAL_EXTRA_ACCOUNT: ACCESS_LIST,
  INVALID_BAL_MISSING_ACCOUNT: ACCESS_LIST,
  BLOCK_ACCESS_LIST_GAS_LIMIT_EXCEEDED: ACCESS_LIST,
};

const REASONS = { TransactionException: TRANSACTION, BlockException: BLOCK };

/** The text that is expected for one reason; every transaction that is no RLP of its type has the same. */
function textOf(reason) {
  const [, family, name] = /^(\w+)\.(\w+)$/.exec(reason) ?? [];
  return REASONS[family]?.[name] ?? (family === "TransactionException" && name.startsWith("RLP_") ? FORMAT : undefined);
}

/**
 * The problem of a refusal for another reason than the expected one; undefined if there is none.
 *
 * @param {string} expected names divided by `|`, any of which is right. Names of other collections are not compared: the older
 *   ones have blocks in which several things are wrong, and name but one.
 * @param {string} text of our error
 */
export function reasonProblem(expected, text) {
  const reasons = expected.split("|");
  if (!reasons.every((reason) => Object.keys(REASONS).some((family) => reason.startsWith(`${family}.`))))
    return undefined;
  const unknown = reasons.find((reason) => textOf(reason) === undefined);
  if (unknown !== undefined) return `reasons.mjs has no text for ${unknown}; it was refused: ${text}`;
  return reasons.some((reason) => textOf(reason).test(text)) ? undefined : `expected ${expected}, refused: ${text}`;
}
