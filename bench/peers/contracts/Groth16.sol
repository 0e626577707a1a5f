// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./Groth16Key.sol";

/// Verifies Groth16 proofs on bn254 (J. Groth, "On the Size of Pairing-based Non-interactive Arguments", 2016, §3.2),
/// with the precompiles of EIP-196 and EIP-197.
contract Groth16 {
    /// Prime of the field that coordinates of points are of.
    uint256 private constant P = 21888242871839275222246405745257275088696311157297823662689037894645226208583;
    /// Order of the groups: public inputs are below it.
    uint256 private constant ORDER = 21888242871839275222246405745257275088548364400416034343698204186575808495617;

    /// True if e(a, b) = e(alpha, beta) · e(key of the inputs, gamma) · e(c, delta).
    ///
    /// Points of the second group have the imaginary part of each coordinate first.
    function verify(
        uint256[2] calldata a,
        uint256[4] calldata b,
        uint256[2] calldata c,
        uint256[2] calldata inputs
    ) external view returns (bool) {
        if (inputs[0] >= ORDER || inputs[1] >= ORDER) return false;
        uint256[2] memory first = multiply(Groth16Key.IC1_X, Groth16Key.IC1_Y, inputs[0]);
        uint256[2] memory second = multiply(Groth16Key.IC2_X, Groth16Key.IC2_Y, inputs[1]);
        uint256[2] memory ofInputs = add(add([Groth16Key.IC0_X, Groth16Key.IC0_Y], first), second);
        uint256[24] memory pairs;
        put(pairs, 0, [a[0], (P - a[1]) % P], b);
        put(pairs, 6, [Groth16Key.ALPHA_X, Groth16Key.ALPHA_Y], Groth16Key.beta());
        put(pairs, 12, ofInputs, Groth16Key.gamma());
        put(pairs, 18, c, Groth16Key.delta());
        return abi.decode(run(8, abi.encode(pairs)), (bool));
    }

    function put(uint256[24] memory pairs, uint256 at, uint256[2] memory first, uint256[4] memory second) private pure {
        (pairs[at], pairs[at + 1]) = (first[0], first[1]);
        for (uint256 index = 0; index < 4; index++) pairs[at + 2 + index] = second[index];
    }

    function add(uint256[2] memory left, uint256[2] memory right) private view returns (uint256[2] memory) {
        return abi.decode(run(6, abi.encode(left, right)), (uint256[2]));
    }

    function multiply(uint256 x, uint256 y, uint256 factor) private view returns (uint256[2] memory) {
        return abi.decode(run(7, abi.encode(x, y, factor)), (uint256[2]));
    }

    /// Reverts where the input is no point of its group.
    function run(uint160 precompile, bytes memory input) private view returns (bytes memory) {
        (bool success, bytes memory output) = address(precompile).staticcall(input);
        require(success, "no point");
        return output;
    }
}
