// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

contract Token {
    error InsufficientBalance(uint256 balance, uint256 needed);

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    string public symbol;
    uint8 public constant decimals = 18;
    mapping(address owner => uint256) public balanceOf;
    mapping(address owner => mapping(address spender => uint256)) public allowance;

    constructor(string memory symbol_) {
        symbol = symbol_;
    }

    function mint(address to, uint256 value) external {
        balanceOf[to] += value;
        emit Transfer(address(0), to, value);
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        move(msg.sender, to, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        allowance[from][msg.sender] -= value;
        move(from, to, value);
        return true;
    }

    function move(address from, address to, uint256 value) internal {
        uint256 balance = balanceOf[from];
        if (balance < value) revert InsufficientBalance(balance, value);
        balanceOf[from] = balance - value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
    }
}

contract Pool {
    error TooLittle(uint256 received, uint256 wanted);

    Token public immutable token0;
    Token public immutable token1;
    uint112 public reserve0;
    uint112 public reserve1;

    constructor(Token token0_, Token token1_) {
        token0 = token0_;
        token1 = token1_;
    }

    function sync() public {
        reserve0 = uint112(token0.balanceOf(address(this)));
        reserve1 = uint112(token1.balanceOf(address(this)));
    }

    function swap(uint256 amountIn, uint256 least) external returns (uint256 amountOut) {
        token0.transferFrom(msg.sender, address(this), amountIn);
        amountOut = (amountIn * 997 * reserve1) / (uint256(reserve0) * 1000 + amountIn * 997);
        if (amountOut < least) revert TooLittle(amountOut, least);
        token1.transfer(msg.sender, amountOut);
        sync();
    }
}
