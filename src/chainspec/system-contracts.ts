/**
 * Contracts of a chain's genesis: the system contracts with the code in their EIPs, and the deterministic CREATE2
 * deployer that tools expect.
 */
import type { Bytes } from "../primitives/bytes/bytes.ts";
import { decodeData } from "../primitives/bytes/hex.ts";
import type { GenesisAccount } from "./genesis/genesis.ts";
import type { Eip } from "./hardforks/eips.ts";
import { GAS_PER_STATE_BYTE, SLOT_BYTES, SYSTEM_CALL_SLOTS } from "./hardforks/state-gas.ts";

/** The caller of system calls (EIP-4788 and later). */
export const SYSTEM_ADDRESS: Bytes = decodeData("0xfffffffffffffffffffffffffffffffffffffffe");
/** Gas of a system call (EIP-7002). */
export const SYSTEM_CALL_GAS = 30_000_000n;
/** Additional state gas of a system call (EIP-8037). */
export const SYSTEM_CALL_STATE_GAS = BigInt(SYSTEM_CALL_SLOTS * SLOT_BYTES * GAS_PER_STATE_BYTE);

/** Parent beacon block roots (EIP-4788). */
export const BEACON_ROOTS_ADDRESS: Bytes = decodeData("0x000f3df6d732807ef1319fb7b8bb8522d0beac02");
/** Hashes of the last 8191 blocks (EIP-2935). */
export const BLOCK_HASH_HISTORY_ADDRESS: Bytes = decodeData("0x0000f90827f1c53a10cb7a02335b175320002935");
/** Withdrawal requests of validators (EIP-7002). */
export const WITHDRAWAL_REQUESTS_ADDRESS: Bytes = decodeData("0x00000961ef480eb55e80d19ad83579a64c007002");
/** Consolidation requests of validators (EIP-7251). */
export const CONSOLIDATION_REQUESTS_ADDRESS: Bytes = decodeData("0x0000bbddc7ce488642fb579f8b00f3a590007251");
/** Deposits and exits of builders (EIP-8282). */
export const BUILDER_DEPOSITS_ADDRESS: Bytes = decodeData("0x0000bff46984e3725691fa540a8c7589300d8282");
/** Address of the contract that collects builder exits (EIP-8282). */
export const BUILDER_EXITS_ADDRESS: Bytes = decodeData("0x000064d678505ad48f8ccb093bc65613800e8282");
/** Mainnet's deposit contract (EIP-6110). */
export const MAINNET_DEPOSIT_CONTRACT: Bytes = decodeData("0x00000000219ab540356cbb839cbe05303d7705fa");
/** The deterministic deployment proxy. */
export const CREATE2_DEPLOYER_ADDRESS: Bytes = decodeData("0x4e59b44847b379578588920ca78fbf26c0b4956c");

/** A system contract and the EIP with which development chains have it. */
export interface SystemContract {
  readonly address: Bytes;
  readonly eip: Eip;
  readonly code: Bytes;
}

/** The code of each contract that an EIP brings. */
export const SYSTEM_CONTRACTS: readonly SystemContract[] = [
  {
    address: BEACON_ROOTS_ADDRESS,
    eip: 4788,
    code: decodeData(
      "0x3373fffffffffffffffffffffffffffffffffffffffe14604d57602036146024575f5ffd5b5f35801560495762001fff" +
        "810690815414603c575f5ffd5b62001fff01545f5260205ff35b5f5ffd5b62001fff42064281555f359062001fff0155" +
        "00",
    ),
  },
  {
    address: BLOCK_HASH_HISTORY_ADDRESS,
    eip: 2935,
    code: decodeData(
      "0x3373fffffffffffffffffffffffffffffffffffffffe14604657602036036042575f35600143038111604257611fff81" +
        "430311604257611fff9006545f5260205ff35b5f5ffd5b5f35611fff60014303065500",
    ),
  },
  {
    address: WITHDRAWAL_REQUESTS_ADDRESS,
    eip: 7002,
    code: decodeData(
      "0x3373fffffffffffffffffffffffffffffffffffffffe1460cb5760115f54807fffffffffffffffffffffffffffffffff" +
        "ffffffffffffffffffffffffffffffff146101f457600182026001905f5b5f8211156068578101908302848302900491" +
        "6001019190604d565b909390049250505036603814608857366101f457346101f4575f5260205ff35b34106101f45760" +
        "0154600101600155600354806003026004013381556001015f35815560010160203590553360601b5f5260385f601437" +
        "604c5fa0600101600355005b6003546002548082038060101160df575060105b5f5b8181146101835782810160030260" +
        "040181604c02815460601b8152601401816001015481526020019060020154807fffffffffffffffffffffffffffffff" +
        "ff00000000000000000000000000000000168252906010019060401c908160381c81600701538160301c816006015381" +
        "60281c81600501538160201c81600401538160181c81600301538160101c81600201538160081c816001015353600101" +
        "60e1565b910180921461019557906002556101a0565b90505f6002555f6003555b5f54807fffffffffffffffffffffff" +
        "ffffffffffffffffffffffffffffffffffffffffff14156101cd57505f5b6001546002828201116101e25750505f6101" +
        "e8565b01600290035b5f555f600155604c025ff35b5f5ffd",
    ),
  },
  {
    address: CONSOLIDATION_REQUESTS_ADDRESS,
    eip: 7251,
    code: decodeData(
      "0x3373fffffffffffffffffffffffffffffffffffffffe1460d35760115f54807fffffffffffffffffffffffffffffffff" +
        "ffffffffffffffffffffffffffffffff1461019a57600182026001905f5b5f8211156068578101908302848302900491" +
        "6001019190604d565b9093900492505050366060146088573661019a573461019a575f5260205ff35b341061019a5760" +
        "0154600101600155600354806004026004013381556001015f358155600101602035815560010160403590553360601b" +
        "5f5260605f60143760745fa0600101600355005b6003546002548082038060021160e7575060025b5f5b818114610129" +
        "5782810160040260040181607402815460601b8152601401816001015481526020018160020154815260200190600301" +
        "54905260010160e9565b910180921461013b5790600255610146565b90505f6002555f6003555b5f54807fffffffffff" +
        "ffffffffffffffffffffffffffffffffffffffffffffffffffffff141561017357505f5b600154600182820111610188" +
        "5750505f61018e565b01600190035b5f555f6001556074025ff35b5f5ffd",
    ),
  },
  {
    address: BUILDER_DEPOSITS_ADDRESS,
    eip: 8282,
    code: decodeData(
      "0x3373fffffffffffffffffffffffffffffffffffffffe1461011c575f54807fffffffffffffffffffffffffffffffffff" +
        "ffffffffffffffffffffffffffffff146102705760015460088111605257506058565b60089003015b60119060018202" +
        "6001905f5b5f821115607f57810190830284830290049160010191906064565b90939004925050503660b814609f5736" +
        "6102705734610270575f5260205ff35b8034106102705760383567ffffffffffffffff1680633b9aca00116102705763" +
        "3b9aca00029034031061027057600154600101600155600354806006026004015f358155600101602035815560010160" +
        "403581556001016060358155600101608035815560010160a035905560b85f5f3760b85fa0600101600355005b600354" +
        "60025480820380604011610131575060405b5f5b8181146101d7578281016006026004018160b8028154815260200181" +
        "600101548152602001816002015480825260401c67ffffffffffffffff16816010018160381c81600701538160301c81" +
        "600601538160281c81600501538160201c81600401538160181c81600301538160101c81600201538160081c81600101" +
        "5353602001816003015481526020018160040154815260200190600501549052600101610133565b91018092146101e9" +
        "57906002556101f4565b90505f6002555f6003555b36610242575f54600154817fffffffffffffffffffffffffffffff" +
        "ffffffffffffffffffffffffffffffffff1461023057600882820111610238575b50505f610264565b01600890036102" +
        "64565b7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff5b5f555f60015560b8025ff3" +
        "5b5f5ffd",
    ),
  },
  {
    address: BUILDER_EXITS_ADDRESS,
    eip: 8282,
    code: decodeData(
      "0x3373fffffffffffffffffffffffffffffffffffffffe1460e1575f54807fffffffffffffffffffffffffffffffffffff" +
        "ffffffffffffffffffffffffffff146101c65760015460028111605157506057565b60029003015b6011906001820260" +
        "01905f5b5f821115607e57810190830284830290049160010191906063565b909390049250505036603014609e573661" +
        "01c657346101c6575f5260205ff35b34106101c657600154600101600155600354806003026004013381556001015f35" +
        "815560010160203590553360601b5f5260305f60143760445fa0600101600355005b6003546002548082038060101160" +
        "f5575060105b5f5b81811461012d5782810160030260040181604402815460601b815260140181600101548152602001" +
        "9060020154905260010160f7565b910180921461013f579060025561014a565b90505f6002555f6003555b3661019857" +
        "5f54600154817fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff146101865760028282" +
        "011161018e575b50505f6101ba565b01600290036101ba565b7fffffffffffffffffffffffffffffffffffffffffffff" +
        "ffffffffffffffffffff5b5f555f6001556044025ff35b5f5ffd",
    ),
  },
];

/** The CREATE2 deployer as a genesis account. */
export const CREATE2_DEPLOYER: GenesisAccount = {
  address: CREATE2_DEPLOYER_ADDRESS,
  nonce: 1n,
  balance: 0n,
  code: decodeData(
    "0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0" +
      "3601600081602082378035828234f58015156039578182fd5b8082525050506014600cf3",
  ),
  storage: [],
};
