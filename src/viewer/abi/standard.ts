/**
 * Functions, errors and events of the commonest standards: tokens, vaults, access, proxies, multicall, Permit2, and the
 * contracts of Uniswap. They are used where the node knows no ABI. A test compares the selectors with the signatures.
 */

/** The selector without `0x`, and the signature with names and outputs. */
export const STANDARD_FUNCTIONS = `
06fdde03 name()string
95d89b41 symbol()string
313ce567 decimals()uint8
18160ddd totalSupply()uint256
70a08231 balanceOf(address account)uint256
dd62ed3e allowance(address owner,address spender)uint256
a9059cbb transfer(address to,uint256 amount)bool
095ea7b3 approve(address spender,uint256 amount)bool
23b872dd transferFrom(address from,address to,uint256 amount)bool
39509351 increaseAllowance(address spender,uint256 added)bool
a457c2d7 decreaseAllowance(address spender,uint256 subtracted)bool
40c10f19 mint(address to,uint256 amount)
42966c68 burn(uint256 amount)
79cc6790 burnFrom(address account,uint256 amount)
d505accf permit(address owner,address spender,uint256 value,uint256 deadline,uint8 v,bytes32 r,bytes32 s)
7ecebe00 nonces(address owner)uint256
3644e515 DOMAIN_SEPARATOR()bytes32
6352211e ownerOf(uint256 tokenId)address
42842e0e safeTransferFrom(address from,address to,uint256 tokenId)
b88d4fde safeTransferFrom(address from,address to,uint256 tokenId,bytes data)
a22cb465 setApprovalForAll(address operator,bool approved)
e985e9c5 isApprovedForAll(address owner,address operator)bool
081812fc getApproved(uint256 tokenId)address
c87b56dd tokenURI(uint256 tokenId)string
150b7a02 onERC721Received(address operator,address from,uint256 tokenId,bytes data)bytes4
01ffc9a7 supportsInterface(bytes4 interfaceId)bool
00fdd58e balanceOf(address account,uint256 id)uint256
4e1273f4 balanceOfBatch(address[] accounts,uint256[] ids)uint256[]
f242432a safeTransferFrom(address from,address to,uint256 id,uint256 amount,bytes data)
2eb2c2d6 safeBatchTransferFrom(address from,address to,uint256[] ids,uint256[] amounts,bytes data)
0e89341c uri(uint256 id)string
f23a6e61 onERC1155Received(address operator,address from,uint256 id,uint256 value,bytes data)bytes4
bc197c81 onERC1155BatchReceived(address operator,address from,uint256[] ids,uint256[] values,bytes data)bytes4
38d52e0f asset()address
01e1d114 totalAssets()uint256
c6e6f592 convertToShares(uint256 assets)uint256
07a2d13a convertToAssets(uint256 shares)uint256
402d267d maxDeposit(address receiver)uint256
ef8b30f7 previewDeposit(uint256 assets)uint256
6e553f65 deposit(uint256 assets,address receiver)uint256
94bf804d mint(uint256 shares,address receiver)uint256
b460af94 withdraw(uint256 assets,address receiver,address owner)uint256
ba087652 redeem(uint256 shares,address receiver,address owner)uint256
8da5cb5b owner()address
715018a6 renounceOwnership()
f2fde38b transferOwnership(address newOwner)
79ba5097 acceptOwnership()
e30c3978 pendingOwner()address
91d14854 hasRole(bytes32 role,address account)bool
248a9ca3 getRoleAdmin(bytes32 role)bytes32
2f2ff15d grantRole(bytes32 role,address account)
d547741f revokeRole(bytes32 role,address account)
36568abe renounceRole(bytes32 role,address account)
a217fddf DEFAULT_ADMIN_ROLE()bytes32
8456cb59 pause()
3f4ba83a unpause()
5c975abb paused()bool
5c60da1b implementation()address
52d1902d proxiableUUID()bytes32
3659cfe6 upgradeTo(address implementation)
4f1ef286 upgradeToAndCall(address implementation,bytes data)
99a88ec4 upgrade(address proxy,address implementation)
9623609d upgradeAndCall(address proxy,address implementation,bytes data)
f851a440 admin()address
8f283970 changeAdmin(address admin)
8129fc1c initialize()
ac9650d8 multicall(bytes[] calls)bytes[]
5ae401dc multicall(uint256 deadline,bytes[] calls)bytes[]
252dba42 aggregate((address target,bytes callData)[] calls)(uint256 blockNumber,bytes[] returnData)
bce38bd7 tryAggregate(bool requireSuccess,(address target,bytes callData)[] calls)((bool success,bytes returnData)[] results)
82ad56cb aggregate3((address target,bool allowFailure,bytes callData)[] calls)((bool success,bytes returnData)[] results)
174dea71 aggregate3Value((address target,bool allowFailure,uint256 value,bytes callData)[] calls)((bool success,bytes returnData)[] results)
87517c45 approve(address token,address spender,uint160 amount,uint48 expiration)
36c78516 transferFrom(address from,address to,uint160 amount,address token)
2b67b570 permit(address owner,((address token,uint160 amount,uint48 expiration,uint48 nonce) details,address spender,uint256 sigDeadline) permitSingle,bytes signature)
30f28b7a permitTransferFrom(((address token,uint256 amount) permitted,uint256 nonce,uint256 deadline) permit,(address to,uint256 requestedAmount) transferDetails,address owner,bytes signature)
d0e30db0 deposit()
2e1a7d4d withdraw(uint256 amount)
c45a0155 factory()address
0dfe1681 token0()address
d21220a7 token1()address
0902f1ac getReserves()(uint112 reserve0,uint112 reserve1,uint32 blockTimestampLast)
e6a43905 getPair(address tokenA,address tokenB)address
c9c65396 createPair(address tokenA,address tokenB)address
022c0d9f swap(uint256 amount0Out,uint256 amount1Out,address to,bytes data)
fff6cae9 sync()
bc25cf77 skim(address to)
6a627842 mint(address to)uint256
89afcb44 burn(address to)(uint256 amount0,uint256 amount1)
e8e33700 addLiquidity(address tokenA,address tokenB,uint256 amountADesired,uint256 amountBDesired,uint256 amountAMin,uint256 amountBMin,address to,uint256 deadline)(uint256 amountA,uint256 amountB,uint256 liquidity)
f305d719 addLiquidityETH(address token,uint256 amountTokenDesired,uint256 amountTokenMin,uint256 amountETHMin,address to,uint256 deadline)(uint256 amountToken,uint256 amountETH,uint256 liquidity)
baa2abde removeLiquidity(address tokenA,address tokenB,uint256 liquidity,uint256 amountAMin,uint256 amountBMin,address to,uint256 deadline)(uint256 amountA,uint256 amountB)
38ed1739 swapExactTokensForTokens(uint256 amountIn,uint256 amountOutMin,address[] path,address to,uint256 deadline)uint256[]
8803dbee swapTokensForExactTokens(uint256 amountOut,uint256 amountInMax,address[] path,address to,uint256 deadline)uint256[]
7ff36ab5 swapExactETHForTokens(uint256 amountOutMin,address[] path,address to,uint256 deadline)uint256[]
18cbafe5 swapExactTokensForETH(uint256 amountIn,uint256 amountOutMin,address[] path,address to,uint256 deadline)uint256[]
3850c7bd slot0()(uint160 sqrtPriceX96,int24 tick,uint16 observationIndex,uint16 observationCardinality,uint16 observationCardinalityNext,uint8 feeProtocol,bool unlocked)
1a686502 liquidity()uint128
ddca3f43 fee()uint24
d0c93a7c tickSpacing()int24
128acb08 swap(address recipient,bool zeroForOne,int256 amountSpecified,uint160 sqrtPriceLimitX96,bytes data)(int256 amount0,int256 amount1)
490e6cbc flash(address recipient,uint256 amount0,uint256 amount1,bytes data)
fa461e33 uniswapV3SwapCallback(int256 amount0Delta,int256 amount1Delta,bytes data)
10d1e85c uniswapV2Call(address sender,uint256 amount0,uint256 amount1,bytes data)
414bf389 exactInputSingle((address tokenIn,address tokenOut,uint24 fee,address recipient,uint256 deadline,uint256 amountIn,uint256 amountOutMinimum,uint160 sqrtPriceLimitX96) params)uint256
04e45aaf exactInputSingle((address tokenIn,address tokenOut,uint24 fee,address recipient,uint256 amountIn,uint256 amountOutMinimum,uint160 sqrtPriceLimitX96) params)uint256
c04b8d59 exactInput((bytes path,address recipient,uint256 deadline,uint256 amountIn,uint256 amountOutMinimum) params)uint256
1698ee82 getPool(address tokenA,address tokenB,uint24 fee)address
3593564c execute(bytes commands,bytes[] inputs,uint256 deadline)
1626ba7e isValidSignature(bytes32 hash,bytes signature)bytes4
`;

/** As {@link STANDARD_FUNCTIONS}. */
export const STANDARD_ERRORS = `
e450d38c ERC20InsufficientBalance(address sender,uint256 balance,uint256 needed)
96c6fd1e ERC20InvalidSender(address sender)
ec442f05 ERC20InvalidReceiver(address receiver)
fb8f41b2 ERC20InsufficientAllowance(address spender,uint256 allowance,uint256 needed)
7e273289 ERC721NonexistentToken(uint256 tokenId)
64283d7b ERC721IncorrectOwner(address sender,uint256 tokenId,address owner)
177e802f ERC721InsufficientApproval(address operator,uint256 tokenId)
03dee4c5 ERC1155InsufficientBalance(address sender,uint256 balance,uint256 needed,uint256 tokenId)
e237d922 ERC1155MissingApprovalForAll(address operator,address owner)
118cdaa7 OwnableUnauthorizedAccount(address account)
1e4fbdf7 OwnableInvalidOwner(address owner)
e2517d3f AccessControlUnauthorizedAccount(address account,bytes32 neededRole)
d93c0665 EnforcedPause()
8dfc202b ExpectedPause()
3ee5aeb5 ReentrancyGuardReentrantCall()
f92ee8a9 InvalidInitialization()
d7e6bcf8 NotInitializing()
5274afe7 SafeERC20FailedOperation(address token)
9996b315 AddressEmptyCode(address target)
d6bda275 FailedCall()
1425ea42 FailedInnerCall()
4c9c8ce3 ERC1967InvalidImplementation(address implementation)
62791302 ERC2612ExpiredSignature(uint256 deadline)
08c379a0 Error(string reason)
4e487b71 Panic(uint256 code)
`;

/** The first eight bytes of the topic without `0x`, and the signature. */
export const STANDARD_EVENTS = `
ddf252ad1be2c89b Transfer(address indexed from,address indexed to,uint256 value)
ddf252ad1be2c89b Transfer(address indexed from,address indexed to,uint256 indexed tokenId)
8c5be1e5ebec7d5b Approval(address indexed owner,address indexed spender,uint256 value)
8c5be1e5ebec7d5b Approval(address indexed owner,address indexed approved,uint256 indexed tokenId)
17307eab39ab6107 ApprovalForAll(address indexed owner,address indexed operator,bool approved)
c3d58168c5ae7397 TransferSingle(address indexed operator,address indexed from,address indexed to,uint256 id,uint256 value)
4a39dc06d4c0dbc6 TransferBatch(address indexed operator,address indexed from,address indexed to,uint256[] ids,uint256[] values)
6bb7ff708619ba06 URI(string value,uint256 indexed id)
dcbc1c05240f31ff Deposit(address indexed sender,address indexed owner,uint256 assets,uint256 shares)
fbde797d201c681b Withdraw(address indexed sender,address indexed receiver,address indexed owner,uint256 assets,uint256 shares)
8be0079c53165914 OwnershipTransferred(address indexed previousOwner,address indexed newOwner)
38d16b8cac22d99f OwnershipTransferStarted(address indexed previousOwner,address indexed newOwner)
2f8788117e7eff1d RoleGranted(bytes32 indexed role,address indexed account,address indexed sender)
f6391f5c32d9c69d RoleRevoked(bytes32 indexed role,address indexed account,address indexed sender)
bd79b86ffe0ab8e8 RoleAdminChanged(bytes32 indexed role,bytes32 indexed previousAdminRole,bytes32 indexed newAdminRole)
62e78cea01bee320 Paused(address account)
5db9ee0a495bf2e6 Unpaused(address account)
bc7cd75a20ee27fd Upgraded(address indexed implementation)
7e644d79422f17c0 AdminChanged(address previousAdmin,address newAdmin)
1cf3b03a6cf19fa2 BeaconUpgraded(address indexed beacon)
7f26b83ff96e1f2b Initialized(uint8 version)
c7f505b2f371ae21 Initialized(uint64 version)
e1fffcc4923d04b5 Deposit(address indexed dst,uint256 wad)
7fcf532c15f0a6db Withdrawal(address indexed src,uint256 wad)
0d3648bd0f6ba801 PairCreated(address indexed token0,address indexed token1,address pair,uint256 index)
4c209b5fc8ad5075 Mint(address indexed sender,uint256 amount0,uint256 amount1)
dccd412f0b125281 Burn(address indexed sender,uint256 amount0,uint256 amount1,address indexed to)
d78ad95fa46c994b Swap(address indexed sender,uint256 amount0In,uint256 amount1In,uint256 amount0Out,uint256 amount1Out,address indexed to)
1c411e9a96e07124 Sync(uint112 reserve0,uint112 reserve1)
783cca1c0412dd0d PoolCreated(address indexed token0,address indexed token1,uint24 indexed fee,int24 tickSpacing,address pool)
98636036cb66a9c1 Initialize(uint160 sqrtPriceX96,int24 tick)
7a53080ba414158b Mint(address sender,address indexed owner,int24 indexed tickLower,int24 indexed tickUpper,uint128 amount,uint256 amount0,uint256 amount1)
0c396cd989a39f44 Burn(address indexed owner,int24 indexed tickLower,int24 indexed tickUpper,uint128 amount,uint256 amount0,uint256 amount1)
70935338e6977545 Collect(address indexed owner,address recipient,int24 indexed tickLower,int24 indexed tickUpper,uint128 amount0,uint128 amount1)
c42079f94a6350d7 Swap(address indexed sender,address indexed recipient,int256 amount0,int256 amount1,uint160 sqrtPriceX96,uint128 liquidity,int24 tick)
bdbdb71d7860376b Flash(address indexed sender,address indexed recipient,uint256 amount0,uint256 amount1,uint256 paid0,uint256 paid1)
da9fa7c1b00402c1 Approval(address indexed owner,address indexed token,address indexed spender,uint160 amount,uint48 expiration)
c6a377bfc4eb1200 Permit(address indexed owner,address indexed token,address indexed spender,uint160 amount,uint48 expiration,uint48 nonce)
`;
