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

/** Types of the arguments of each overload that has one of these types at each place. */
function* combinations([types, ...others]) {
  if (types === undefined) yield [];
  else for (const type of types) for (const rest of combinations(others)) yield [type, ...rest];
}

/** The overloads of `log` that a source may call: those for the types that it declares for the names, else all of a length. */
function overloads(source) {
  const declarations = source.matchAll(/\b(uint|string|bool|address)\d*(?: memory)? (\w+)/g);
  const declared = new Map(Array.from(declarations, ([, type, name]) => [name, type]));
  const calls = Array.from(source.matchAll(/\bconsole\.log\(([^;]*)\);/g), ([, list]) => list.split(","));
  return calls.flatMap((list) => {
    // Commas within an argument add overloads that nothing calls.
    const places = list.slice(0, MOST_ARGUMENTS).map((argument) => {
      const type = declared.get(argument.trim());
      return type === undefined ? LOGGED : LOGGED.filter(([name]) => name === type);
    });
    return Array.from(combinations(places), (types) => logFunction("log", types));
  });
}

/** Its text for sources that import it: a compiler needs two seconds for all 341 overloads of `log`. */
export function consoleSource(sources) {
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
  return `${HEAD}${[...new Set(sources.flatMap(overloads)), ...named].join("")}}\n`;
}
