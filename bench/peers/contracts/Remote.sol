// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./Token.sol";

/// Passes calls on to the contract that its one slot names.
contract Proxy {
    address private implementation;

    constructor(address target) {
        implementation = target;
    }

    fallback() external {
        (bool success, bytes memory output) = implementation.delegatecall(msg.data);
        assembly {
            if iszero(success) { revert(add(output, 32), mload(output)) }
            return(add(output, 32), mload(output))
        }
    }
}

/// A token behind a {Proxy}, whose slot comes first here too.
contract ProxiedToken {
    address private implementation;
    mapping(address => uint256) public balanceOf;

    function mint(address to, uint256 value) external {
        balanceOf[to] += value;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        balanceOf[msg.sender] -= value;
        balanceOf[to] += value;
        return true;
    }
}

/// A constant-product pair that keeps the addresses of its tokens in slots.
contract StoredPair {
    Token public token0;
    Token public token1;
    uint256 public reserve0;
    uint256 public reserve1;

    constructor(Token first, Token second) {
        token0 = first;
        token1 = second;
    }

    function sync() public {
        reserve0 = token0.balanceOf(address(this));
        reserve1 = token1.balanceOf(address(this));
    }

    /// Pays out for what was sent to the pair.
    function swap(address to) external returns (uint256 amountOut) {
        uint256 withFee = (token0.balanceOf(address(this)) - reserve0) * 997;
        amountOut = (withFee * reserve1) / (reserve0 * 1000 + withFee);
        require(token1.transfer(to, amountOut));
        sync();
    }
}

/// Finds the pair of two tokens and swaps through it.
contract Router {
    mapping(address => mapping(address => StoredPair)) public pairs;

    function add(address first, address second, StoredPair pair) external {
        pairs[first][second] = pair;
    }

    function swap(Token first, address second, uint256 amountIn) external returns (uint256) {
        StoredPair pair = pairs[address(first)][second];
        require(first.transferFrom(msg.sender, address(pair), amountIn));
        return pair.swap(msg.sender);
    }
}

/// Slots that are read one after the other, all at once, or each from a contract of its own.
contract Slots {
    uint256 public value;
    mapping(uint256 => uint256) private next;
    uint256[] private list;
    Slots[] private others;

    function setValue(uint256 held) external {
        value = held;
    }

    /// A linked list from 1: each element is the hash of the one before.
    function link(uint256 count) external {
        uint256 at = 1;
        for (uint256 index = 0; index < count; index++) {
            uint256 following = uint256(keccak256(abi.encode(at)));
            next[at] = following;
            at = following;
        }
    }

    function walk() external view returns (uint256 count) {
        for (uint256 at = next[1]; at != 0; at = next[at]) count++;
    }

    function fill(uint256 count) external {
        for (uint256 index = 0; index < count; index++) list.push(list.length + 1);
    }

    function sum() external view returns (uint256 total) {
        for (uint256 index = 0; index < list.length; index++) total += list[index];
    }

    function grow(uint256 count) external {
        for (uint256 index = 0; index < count; index++) {
            Slots other = Slots(address(new Held(others.length + 1)));
            others.push(other);
        }
    }

    function sumOthers() external view returns (uint256 total) {
        for (uint256 index = 0; index < others.length; index++) total += others[index].value();
    }
}

/// One slot in an account of its own.
contract Held {
    uint256 public value;

    constructor(uint256 held) {
        value = held;
    }
}
