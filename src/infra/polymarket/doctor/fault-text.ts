import { UpstreamFault } from '../client/market-client.ts';

/** Text of an error without URLs, which may contain a key. */
export function faultText(error: unknown): string {
  if (error instanceof UpstreamFault && error.status !== null && error.status !== 200)
    return `answered ${error.status}`;
  // The client puts the path in front; so do the callers of this function.
  return error instanceof Error ? error.message.replace(/^\/[\w/-]+:? /, '') : 'failed';
}
