/** Contracts in which everything happens that a call tree shows, with their ABIs; encoded by viem, not by us. */
import {
  type Abi,
  encodeAbiParameters,
  encodeDeployData,
  encodeErrorResult,
  encodeEventTopics,
  encodeFunctionData,
  parseAbi,
} from "viem";
import type { Bytes } from "../../src/primitives/bytes/bytes.ts";
import { decodeData, encodeData, type Hex } from "../../src/primitives/bytes/hex.ts";
import { assemble, deploying, fromHex } from "../support/assembler.ts";

const digits = (bytes: Bytes): string => Buffer.from(bytes).toString("hex");

/** Words that put bytes into memory from 0 on. */
export function putting(bytes: Bytes): string {
  const words: string[] = [];
  for (let offset = 0; offset < bytes.length; offset += 32) {
    words.push(`0x${digits(bytes.subarray(offset, offset + 32)).padEnd(64, "0")} ${offset} MSTORE`);
  }
  return words.join(" ");
}

/** Words that call an address with data and drop the flag. */
export function callingWith(kind: string, address: Bytes, data: Hex, value = 0): string {
  const bytes = decodeData(data);
  const hasValue = kind === "CALL" || kind === "CALLCODE";
  return `${putting(bytes)} 0 0 ${bytes.length} 0 ${hasValue ? value : ""} 0x${digits(address)} GAS ${kind} POP`;
}

/** Words that end the frame with data in its output. */
export const endingWith = (opcode: "RETURN" | "REVERT", data: Hex): string => {
  const bytes = decodeData(data);
  return `${putting(bytes)} ${bytes.length} 0 ${opcode}`;
};

const word = (value: bigint): Hex => encodeAbiParameters([{ type: "uint256" }], [value]);

const workshopItems = parseAbi([
  "struct Order { uint256 id; bool isPaid; }",
  "function run(address customer, Order order, string note) payable returns (uint256 count)",
  "event Done(address indexed customer, string indexed note, uint256 count)",
]);
/** As the compiler writes it: structs have their name beside their type. */
export const workshopAbi = workshopItems.map((item) =>
  item.type === "function"
    ? {
        ...item,
        inputs: item.inputs.map((input) =>
          input.type === "tuple" ? { ...input, internalType: "struct Shop.Order" } : input,
        ),
      }
    : item,
) as unknown as typeof workshopItems;
export const libraryAbi = parseAbi([
  "function store(uint256 value) returns (uint256)",
  "event Stored(uint256 indexed slot, uint256 value)",
]);
export const storeAbi = parseAbi([
  "function withdraw(uint256 amount)",
  "function add(uint256 a, uint256 b)",
  "function pay() payable",
  "error InsufficientBalance(uint256 available, uint256 required)",
]);
export const childAbi = parseAbi(["constructor(uint256 size, bytes data)", "function close(address heir)"]);
const consoleAbi = parseAbi(["function log(string, uint256)"]);

/** Stores 42 at slot 0, tells of it and returns it. */
export const LIBRARY: Bytes = assemble(`
  42 0 SSTORE
  ${putting(decodeData(word(42n)))}
  0 0x${encodeEventTopics({ abi: libraryAbi, eventName: "Stored", args: { slot: 0n } })[0]?.slice(2)} 32 0 LOG2
  32 0 RETURN
`);

/** `withdraw` reverts with a custom error, `add` panics, `pay` refuses with a text; by the first byte of the data. */
export const STORE: Bytes = assemble(`
  0 CALLDATALOAD 224 SHR
  DUP1 ${selector(storeAbi, "withdraw", [1n])} EQ @withdraw JUMPI
  DUP1 ${selector(storeAbi, "add", [1n, 1n])} EQ @add JUMPI
  ${endingWith("REVERT", encodeErrorResult({ abi: parseAbi(["error Error(string)"]), args: ["we are closed"] }))}
  withdraw: ${endingWith("REVERT", encodeErrorResult({ abi: storeAbi, errorName: "InsufficientBalance", args: [5n, 10n ** 18n] }))}
  add: ${endingWith("REVERT", encodeErrorResult({ abi: parseAbi(["error Panic(uint256)"]), args: [0x11n] }))}
`);

function selector(abi: Abi, functionName: string, args: readonly unknown[]): string {
  return encodeFunctionData({ abi, functionName, args }).slice(0, 10);
}

/** Gives what it has to the heir. */
export const CHILD: Bytes = assemble("4 CALLDATALOAD SELFDESTRUCT");
const child: Hex = encodeData(deploying(CHILD));
export const CHILD_CODE: { readonly initCode: Hex; readonly code: Hex } = { initCode: child, code: encodeData(CHILD) };

/** Init code of the child with its constructor's arguments. */
const childCreation: Bytes = decodeData(encodeDeployData({ abi: childAbi, bytecode: child, args: [3n, "0x0102"] }));

export interface WorkshopParts {
  readonly library: Bytes;
  readonly store: Bytes;
}

/** Everything at once. */
export function workshop({ library, store }: WorkshopParts): Bytes {
  const console = fromHex("000000000000000000636F6e736F6c652e6c6f67");
  const call = (functionName: "withdraw" | "add" | "pay", args: readonly bigint[]): Hex =>
    encodeFunctionData({ abi: storeAbi, functionName, args } as Parameters<typeof encodeFunctionData>[0]);
  const heir = fromHex("70997970c51812dc3a010c7d01b50e0d17dc79c8");
  const done = encodeEventTopics({
    abi: workshopAbi,
    eventName: "Done",
    args: { customer: encodeData(heir), note: "twice" },
  }) as Hex[];
  return assemble(`
    ${callingWith("STATICCALL", console, encodeFunctionData({ abi: consoleAbi, functionName: "log", args: ["%d things\nto do", 7n] }))}
    ${putting(childCreation)} ${childCreation.length} 0 5 CREATE
    ${putting(decodeData(encodeFunctionData({ abi: childAbi, functionName: "close", args: [encodeData(heir)] })))}
    0 SWAP1 0 SWAP1 36 SWAP1 0 SWAP1 0 SWAP1 GAS CALL POP
    ${callingWith("DELEGATECALL", library, encodeFunctionData({ abi: libraryAbi, functionName: "store", args: [42n] }))}
    ${callingWith("STATICCALL", fromHex("0000000000000000000000000000000000000002"), "0x616263")}
    ${callingWith("CALL", store, call("withdraw", [10n ** 18n]))}
    ${callingWith("CALL", store, call("add", [1n, 2n]))}
    ${callingWith("CALL", store, call("pay", []), 3)}
    ${callingWith("CALL", heir, "0x", 1)}
    ${callingWith("CALL", heir, "0x", 1_000_000_000)}
    ${putting(decodeData(word(2n)))} ${done[2]} ${done[1]} ${done[0]} 32 0 LOG3
    0x${"07".repeat(32)} 32 0 LOG1
    32 0 RETURN
  `);
}

/** A call of the workshop. */
export const workshopCall: Hex = encodeFunctionData({
  abi: workshopAbi,
  functionName: "run",
  args: [
    "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
    { id: 1_500_000_000_000_000_000n, isPaid: true },
    'say "hi"\u001b[31m',
  ],
});

const vaultAbi = parseAbi([
  "function withdraw(uint256 amount)",
  "error InsufficientBalance(uint256 available, uint256 required)",
]);

/** A vault as Foundry compiles it to, and a call of it that prints and reverts. */
export function aVault(): { readonly artifact: { abi: Abi; bytecode: { object: Hex } }; readonly withdrawal: Hex } {
  const console = fromHex("000000000000000000636F6e736F6c652e6c6f67");
  const printing = encodeFunctionData({ abi: consoleAbi, functionName: "log", args: ["left: %d wei", 5n] });
  const args = [5n, 10n ** 18n] as const;
  const runtime = assemble(`
    ${callingWith("STATICCALL", console, printing)}
    ${endingWith("REVERT", encodeErrorResult({ abi: vaultAbi, errorName: "InsufficientBalance", args }))}
  `);
  const code = encodeData(runtime);
  const artifact = {
    abi: vaultAbi,
    bytecode: { object: encodeData(deploying(runtime)) },
    deployedBytecode: { object: code },
  };
  return { artifact, withdrawal: encodeFunctionData({ abi: vaultAbi, functionName: "withdraw", args: [10n ** 18n] }) };
}
