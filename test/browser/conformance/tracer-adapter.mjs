// The adapter of the tracer fixtures for a library in a browser: it stands behind the address in HINDCAST_BRIDGE.

/** Traces a fixture. */
export async function traceFixture(fixture) {
  const response = await fetch(`${process.env.HINDCAST_BRIDGE}trace`, {
    method: "POST",
    body: JSON.stringify(fixture),
  });
  if (!response.ok) throw new Error(await response.text());
  return response.json();
}
