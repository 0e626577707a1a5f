// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./Small.sol";

/// Loops that keep one part of an EVM busy each.
contract Work {
    mapping(uint256 => uint256) private cold;
    uint256 private warm;

    event Noted(uint256 indexed value);

    function one() external pure returns (uint256) {
        return 1;
    }

    /// Arithmetic until so much gas is used.
    function spin(uint256 gasToUse) external view returns (uint256 sum) {
        uint256 start = gasleft();
        unchecked {
            for (uint256 index = 1; start - gasleft() < gasToUse; index++) sum = sum * 31 + index;
        }
    }

    /// Arithmetic for so many rounds.
    function rounds(uint256 count) external returns (uint256 sum) {
        unchecked {
            for (uint256 index = 0; index < count; index++) sum = sum * 31 + index;
        }
        warm = sum;
    }

    /// Each hash is an input of the next. Another seed makes all inputs other ones.
    function hashes(uint256 seed, uint256 count) external pure returns (bytes32 hash) {
        hash = bytes32(seed);
        unchecked {
            for (uint256 index = 0; index < count; index++) hash = keccak256(abi.encode(hash, index));
        }
    }

    /// Gives what it wrote last, as stored.
    function storeCold(uint256 first, uint256 count) external returns (uint256) {
        unchecked {
            for (uint256 index = first; index < first + count; index++) cold[index] = index + 1;
            return cold[first + count - 1];
        }
    }

    function loadCold(uint256 first, uint256 count) external view returns (uint256 sum) {
        unchecked {
            for (uint256 index = first; index < first + count; index++) sum += cold[index];
        }
    }

    function storeWarm(uint256 count) external returns (uint256) {
        unchecked {
            for (uint256 index = 1; index <= count; index++) warm = index;
        }
        return warm;
    }

    function loadWarm(uint256 count) external view returns (uint256 sum) {
        unchecked {
            for (uint256 index = 0; index < count; index++) sum += warm;
        }
    }

    /// Calls itself so many times deep.
    function nest(uint256 depth) external returns (uint256) {
        return depth == 0 ? 0 : this.nest(depth - 1) + 1;
    }

    /// Grows the memory to so many words, one at a time, and gives what stands in the last: its offset.
    function grow(uint256 words) external pure returns (uint256 last) {
        assembly {
            for { let offset := mload(0x40) } lt(offset, mul(words, 32)) { offset := add(offset, 32) } {
                mstore(offset, offset)
            }
            last := mload(mul(sub(words, 1), 32))
        }
    }

    /// Creates so many contracts and asks the last for its number.
    function create(uint256 count) external returns (uint256) {
        Small small;
        for (uint256 index = 1; index <= count; index++) small = new Small(index);
        return small.held();
    }

    function note(uint256 value) external {
        emit Noted(value);
    }

    function noteMany(uint256 count) external {
        for (uint256 index = 0; index < count; index++) emit Noted(index);
    }
}
