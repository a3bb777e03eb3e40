import { type IncomingMessage, request } from 'node:http';

/** An attacker's or another client's request, from an address of this machine (127.0.0.x). */
export interface AskFrom {
  readonly address: string;
  readonly from: string;
  readonly path: string;
  readonly signal: AbortSignal;
}

export function openFrom({ address, from, path, signal }: AskFrom): Promise<IncomingMessage | null> {
  const { hostname, port } = new URL(address);
  return new Promise((resolve) => {
    const headers = { 'accept-encoding': 'identity' };
    const asked = request({ host: hostname, port, path, localAddress: from, agent: false, headers, signal });
    asked.on('error', () => resolve(null));
    asked.on('response', (answer) => {
      answer.on('error', () => {});
      resolve(answer);
    });
    asked.end();
  });
}

export async function askFrom(options: AskFrom): Promise<number> {
  const answer = await openFrom(options);
  if (answer === null) return 0;
  try {
    for await (const _chunk of answer);
    return answer.statusCode ?? 0;
  } catch {
    return 0;
  }
}
