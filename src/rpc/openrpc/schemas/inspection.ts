/** The results of the methods `hindcast_get…`. */
import { ANYTHING, arrayOf, BOOLEAN, INTEGER, type JsonSchema, object, orNull, ref, TEXT } from "../json-schema.ts";
import { ADDRESS, DATA, HASH, QUANTITY, WORD } from "./primitives.ts";

const LOG = object({
  address: ADDRESS,
  text: orNull(TEXT),
  topics: arrayOf(WORD),
  data: DATA,
  position: INTEGER,
});

const KIND: JsonSchema = {
  type: "string",
  enum: ["call", "callcode", "delegatecall", "staticcall", "create", "create2"],
};

const CALL = object({
  index: INTEGER,
  parent: INTEGER,
  depth: INTEGER,
  kind: KIND,
  from: ADDRESS,
  to: orNull(ADDRESS),
  account: orNull(ADDRESS),
  value: QUANTITY,
  gas: QUANTITY,
  gasUsed: QUANTITY,
  contract: TEXT,
  function: orNull(TEXT),
  arguments: TEXT,
  result: TEXT,
  failure: orNull(TEXT),
  printed: orNull(TEXT),
  input: DATA,
  inputLength: INTEGER,
  output: DATA,
  outputLength: INTEGER,
  isPrecompile: BOOLEAN,
  steps: { type: "array", items: INTEGER, minItems: 2, maxItems: 2 },
  selfDestruct: orNull(object({ beneficiary: ADDRESS, balance: QUANTITY })),
  logs: arrayOf(LOG),
});

const STORAGE = object({
  call: INTEGER,
  step: INTEGER,
  account: ADDRESS,
  slot: WORD,
  before: WORD,
  after: WORD,
  isUndone: BOOLEAN,
  variables: arrayOf(object({ name: TEXT, before: TEXT, after: TEXT })),
});

const FRAME = object({
  parent: INTEGER,
  depth: INTEGER,
  kind: KIND,
  from: ADDRESS,
  to: orNull(ADDRESS),
  account: orNull(ADDRESS),
  value: QUANTITY,
  gas: QUANTITY,
  gasUsed: QUANTITY,
  input: DATA,
  output: DATA,
  codeHash: orNull(HASH),
  error: orNull(TEXT),
  isStarted: BOOLEAN,
  isPrecompile: BOOLEAN,
  step: INTEGER,
  stepEnd: INTEGER,
});

const LISTED_STEP = {
  step: INTEGER,
  call: INTEGER,
  depth: INTEGER,
  pc: INTEGER,
  op: TEXT,
  gas: QUANTITY,
  gasCost: QUANTITY,
  isBroken: BOOLEAN,
  file: orNull(TEXT),
  line: orNull(INTEGER),
};

/** Schemas by name. */
export const INSPECTION: Readonly<Record<string, JsonSchema>> = {
  CallPart: object({
    blockHash: HASH,
    transactionIndex: INTEGER,
    callCount: INTEGER,
    stepCount: INTEGER,
    calls: arrayOf(CALL),
    storage: arrayOf(STORAGE),
  }),
  StepPart: object({ stepCount: INTEGER, steps: arrayOf(object(LISTED_STEP)) }),
  Step: object({
    ...LISTED_STEP,
    stepCount: INTEGER,
    account: orNull(ADDRESS),
    codeAddress: orNull(ADDRESS),
    refund: QUANTITY,
    stack: arrayOf(QUANTITY),
    memory: DATA,
    memoryLength: INTEGER,
    returnData: DATA,
    storage: arrayOf(object({ slot: WORD, value: WORD })),
    source: arrayOf(object({ line: INTEGER, text: TEXT })),
  }),
  Recording: object({
    transactionHash: HASH,
    blockHash: HASH,
    blockNumber: QUANTITY,
    transactionIndex: INTEGER,
    frameCount: INTEGER,
    stepCount: INTEGER,
    frames: arrayOf(FRAME),
    codes: arrayOf(object({ hash: HASH, code: DATA })),
  }),
  StepSlice: object({ first: INTEGER, records: DATA, writes: DATA }),
  Build: object({ input: ANYTHING, output: ANYTHING }),
  AbiParameter: object({ name: TEXT, type: TEXT, components: arrayOf(ref("AbiParameter")) }),
  Contract: object({
    name: orNull(TEXT),
    functions: arrayOf(
      object({
        selector: DATA,
        signature: TEXT,
        name: TEXT,
        isPayable: BOOLEAN,
        isView: BOOLEAN,
        inputs: arrayOf(ref("AbiParameter")),
        outputs: arrayOf(ref("AbiParameter")),
      }),
    ),
  }),
  AccountStorage: object({
    contract: orNull(TEXT),
    slots: arrayOf(
      object({
        hash: HASH,
        slot: orNull(WORD),
        value: WORD,
        variables: arrayOf(object({ name: TEXT, type: orNull(TEXT), value: TEXT })),
      }),
    ),
    next: orNull(HASH),
    notes: arrayOf(TEXT),
  }),
  AccountSources: object({ contract: TEXT, files: arrayOf(object({ path: TEXT, text: TEXT })) }),
  ListedBlock: object({
    number: QUANTITY,
    hash: HASH,
    parentHash: HASH,
    isCanonical: BOOLEAN,
    timestamp: QUANTITY,
    miner: ADDRESS,
    gasUsed: QUANTITY,
    gasLimit: QUANTITY,
    baseFeePerGas: orNull(QUANTITY),
    transactionCount: INTEGER,
    uncles: arrayOf(HASH),
  }),
};
