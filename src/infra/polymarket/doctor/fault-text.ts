import { UpstreamFault } from '../client/market-client.ts';

/** The text of an error without a URL, which may contain a key. */
export function faultText(error: unknown): string {
  if (error instanceof UpstreamFault && error.status !== null && error.status !== 200)
    return `answered ${error.status}`;
  // The client's messages begin with the path, and so does the finding.
  return error instanceof Error ? error.message.replace(/^\/[\w/-]+:? /, '') : 'failed';
}
