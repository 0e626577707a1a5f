// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// Holds a number in its code.
contract Small {
    uint256 public immutable held;

    constructor(uint256 value) {
        held = value;
    }
}
