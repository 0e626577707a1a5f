// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./Token.sol";

/// A constant-product pair of two tokens with a fee of 0.3 %.
contract Pair {
    Token public immutable token0;
    Token public immutable token1;
    uint256 public reserve0;
    uint256 public reserve1;

    event Swap(address indexed sender, uint256 amountIn, uint256 amountOut);

    constructor(Token first, Token second) {
        token0 = first;
        token1 = second;
    }

    /// Takes over what was sent to the pair.
    function sync() public {
        reserve0 = token0.balanceOf(address(this));
        reserve1 = token1.balanceOf(address(this));
    }

    function swap(uint256 amountIn) external returns (uint256 amountOut) {
        require(token0.transferFrom(msg.sender, address(this), amountIn));
        uint256 withFee = amountIn * 997;
        amountOut = (withFee * reserve1) / (reserve0 * 1000 + withFee);
        require(token1.transfer(msg.sender, amountOut));
        uint256 productBefore = reserve0 * reserve1;
        sync();
        require(reserve0 * reserve1 >= productBefore);
        emit Swap(msg.sender, amountIn, amountOut);
    }
}
