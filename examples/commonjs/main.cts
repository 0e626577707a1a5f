// CommonJS TypeScript: `require` of this package, which Node can since 20.19 and 22.12. With `"module": "nodenext"`.
import hindcast = require("hindcast");

async function main(): Promise<void> {
  const node = await hindcast.createNode({ accounts: 1 });
  const [account] = await node.provider.request({ method: "eth_accounts" });
  console.log(account, await node.provider.request({ method: "eth_chainId" }));
  await node.close();
}

void main();
