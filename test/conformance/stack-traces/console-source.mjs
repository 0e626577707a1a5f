// A console.sol of our own: the functions that the cases call, with the selectors that Hardhat's has.

/** Type in a signature, and as a parameter. */
const LOGGED = [
  ["uint", "uint"],
  ["string", "string memory"],
  ["bool", "bool"],
  ["address", "address"],
];
const MOST_ARGUMENTS = 4;

const HEAD = `// SPDX-License-Identifier: MIT
pragma solidity >=0.4.22 <0.9.0;

library console {
  function send(bytes memory payload) private view {
    address at = address(0x000000000000000000636F6e736F6c652e6c6f67);
    assembly { let r := staticcall(gas(), at, add(payload, 32), mload(payload), 0, 0) }
  }
`;

function logFunction(name, types) {
  const parameters = types.map(([, type], index) => `${type} p${index}`).join(", ");
  const values = types.map((_, index) => `, p${index}`).join("");
  const signature = `log(${types.map(([type]) => type).join(",")})`;
  return `  function ${name}(${parameters}) internal view { send(abi.encodeWithSignature("${signature}"${values})); }\n`;
}

function* overloads(types) {
  yield logFunction("log", types);
  if (types.length < MOST_ARGUMENTS) for (const type of LOGGED) yield* overloads([...types, type]);
}

/** Its text. */
export function consoleSource() {
  const bytes = Array.from({ length: 32 }, (_, index) => [
    `Bytes${index + 1}`,
    `bytes${index + 1}`,
    `bytes${index + 1}`,
  ]);
  const named = [
    ["Int", "int", "int"],
    ["Uint", "uint", "uint"],
    ["String", "string", "string memory"],
    ["Bool", "bool", "bool"],
    ["Address", "address", "address"],
    ["Bytes", "bytes", "bytes memory"],
    ...bytes,
  ].map(([name, type, parameter]) => logFunction(`log${name}`, [[type, parameter]]));
  return `${HEAD}${[...overloads([]), ...named].join("")}}\n`;
}
