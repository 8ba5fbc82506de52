#!/bin/sh
# In MCP's TypeScript SDK, a working call fails after the client has listed the tools.
#
# Versions: npm @modelcontextprotocol/sdk 1.32.2, zod 4.6.7
# Seen: a tool declares the output {n: number} and returns {n: 1, unit: "ms"}.
#     call before listTools()   structuredContent {"n":1,"unit":"ms"}
#     call after  listTools()   error -32602: ... data must NOT have additional properties
# Why it is surprising: Listing tools is a read operation, so it should change nothing, and the server has
#     already validated the result. But the server validates with zod, which ignores unknown keys and leaves
#     them in the answer, while its published schema forbids them. The client also validates, with ajv, but
#     only against schemas from a listing. A test that calls a tool directly passes; hosts list the tools
#     first, so their calls fail.
# Measured: 2026-11-28
set -eu
. "$(dirname "$0")/prepare.sh"
npm_packages @modelcontextprotocol/sdk@1.32.2 zod@4.6.7
cat >run.mjs <<'JS'
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';

const server = new McpServer({ name: 'timer', version: '1' });
server.registerTool('measure', { inputSchema: {}, outputSchema: { n: z.number() } }, async () => ({
  content: [],
  structuredContent: { n: 1, unit: 'ms' },
}));
const client = new Client({ name: 'host', version: '1' });
const [ours, theirs] = InMemoryTransport.createLinkedPair();
await Promise.all([server.connect(theirs), client.connect(ours)]);

const call = () =>
  client.callTool({ name: 'measure', arguments: {} }).then(
    (result) => JSON.stringify(result.structuredContent),
    (error) => error.message,
  );
const before = await call();
await client.listTools();
const after = await call();
console.log('before listTools:', before);
console.log('after listTools: ', after);
await client.close();
process.exit(before === '{"n":1,"unit":"ms"}' && after.includes('must NOT have additional properties') ? 0 : 1);
JS
node run.mjs
