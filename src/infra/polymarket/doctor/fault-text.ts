import { UpstreamFault } from '../client/market-client.ts';

/** What went wrong, without an address: one may hold a key. */
export function faultText(error: unknown): string {
  if (error instanceof UpstreamFault && error.status !== null && error.status !== 200)
    return `answered ${error.status}`;
  // The client names the path in front; whoever shows this does too.
  return error instanceof Error ? error.message.replace(/^\/[\w/-]+:? /, '') : 'failed';
}
