import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { onTestFinished } from 'vitest';
import { type Answer, ask } from './api-server.ts';

/** The official client, connected until the test ends. `era`: of the protocol that it speaks. */
export async function connectMcp(
  baseUrl: string,
  { secret, era = '2026' }: { readonly secret?: string | undefined; readonly era?: '2025' | '2026' } = {},
): Promise<Client> {
  const mode = era === '2025' ? 'legacy' : { pin: '2026-07-28' };
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  const headers: Record<string, string> = secret === undefined ? {} : { authorization: `Bearer ${secret}` };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${baseUrl}/mcp`), { requestInit: { headers } }),
  );
  onTestFinished(() => client.close());
  return client;
}

/** What a tool answers: its structured content, or the refusal in its text. */
export async function callMcp(client: Client, name: string, args: Record<string, unknown> = {}) {
  const { content, structuredContent, isError = false } = await client.callTool({ name, arguments: args });
  const [first] = content;
  const text = first?.type === 'text' ? first.text : '';
  // biome-ignore lint/suspicious/noExplicitAny: a tool answers what its schema says
  const told: any = JSON.parse(text);
  return { isError, told, structuredContent };
}

/** One message without the client, as one of 2025 sends it. */
export function postMcp(
  baseUrl: string,
  message: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  return ask(`${baseUrl}/mcp`, {
    method: 'POST',
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...headers,
    },
    body: JSON.stringify(message),
  });
}

export function toolCall(name: string, args: Record<string, unknown> = {}) {
  return { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
}
