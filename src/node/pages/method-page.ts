/** The HTML page that lists the methods, as a single file without scripts and images. */
import type { Method } from "../../rpc/method.ts";

/** Facts at the top of the page, read anew for each request. */
export interface PageFacts {
  readonly clientVersion: string;
  readonly chainId: bigint;
  readonly headNumber: bigint;
}

const STYLE = `
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #222; background: #fff; }
code, pre { font-family: ui-monospace, monospace; font-size: 0.9em; }
pre { background: #f3f3f3; padding: 0.8rem; overflow-x: auto; }
td { padding: 0.2rem 1rem 0.2rem 0; vertical-align: top; }
.params, .names { color: #666; }
@media (prefers-color-scheme: dark) { body { color: #ddd; background: #181818; } pre { background: #262626; } .params, .names { color: #999; } }
`;

/** Returns the page as HTML. */
export function methodPage(methods: readonly Method[], facts: PageFacts): string {
  const main = methods.filter(({ aliasOf }) => aliasOf === undefined);
  const namespaces = [...new Set(main.map(namespaceOf))].sort();
  const sections = namespaces.map((namespace) => {
    const own = main.filter((method) => namespaceOf(method) === namespace).sort(byName);
    const rows = own.map((method) =>
      row(
        method,
        methods.filter(({ aliasOf }) => aliasOf === method.name),
      ),
    );
    return `<h2>${escapeHtml(namespace)}</h2>\n<table>\n${rows.join("\n")}\n</table>`;
  });
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${escapeHtml(facts.clientVersion)}</title><style>${STYLE}</style></head>
<body>
<h1>${escapeHtml(facts.clientVersion)}</h1>
<p>Chain ${facts.chainId}, head block ${facts.headNumber}. This address speaks JSON-RPC, over HTTP by POST and over WebSocket:</p>
<pre>curl -H 'content-type: application/json' -d '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[]}' URL</pre>
<p>The method <code>rpc.discover</code> answers all of this, with schemas, errors and examples, as an OpenRPC document.</p>
${sections.join("\n")}
</body>
</html>
`;
}

function row({ name, summary, params }: Method, aliases: readonly Method[]): string {
  const list = params.map((param) => (param.fallback === undefined ? param.name : `${param.name}?`)).join(", ");
  const others =
    aliases.length === 0
      ? ""
      : ` <span class="names">Also ${aliases.map((alias) => escapeHtml(alias.name)).join(", ")}.</span>`;
  return `<tr><td><code>${escapeHtml(name)}</code> <span class="params">(${escapeHtml(list)})</span></td><td>${escapeHtml(summary)}${others}</td></tr>`;
}

const namespaceOf = ({ name }: Method): string => name.split(/[_.]/, 1)[0] as string;
const byName = (left: Method, right: Method): number => (left.name < right.name ? -1 : 1);

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
