import { RpcFault } from '../chain/chain-node.ts';
import { UpstreamFault } from '../client/market-client.ts';
import { Misfit, UPDATE } from './check.ts';

const NETWORK = 'Check the address in the settings, and this machine’s network and firewall.';

/** What to do, by the first pattern that the cause matches. */
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [/^answered (401|402|403|451)/, 'It refuses this machine: check its network, country, and the key if any.'],
  [/^answered (404|410)/, 'The address has gone: check it in the settings, or update Tipoff.'],
  [/^answered 429|^paused/, 'Too many requests come from this network. Wait.'],
  [/^answered 5/, 'The fault is there: wait, and try again.'],
  [/^host name/, 'Check the address in the settings, and this machine’s network and DNS.'],
  [/^proxy/, 'Check HTTPS_PROXY, HTTP_PROXY and ALL_PROXY.'],
  [/certificate/i, 'Check this machine’s clock, and whether a proxy in the network replaces certificates.'],
  [/^no JSON/, 'Something else answers there: check the network for a login page, or update Tipoff.'],
  [/^answered|unexpected|valid|JSON-RPC/, UPDATE],
];

/**
 * What is wrong and what to do, in the same words for the same cause at every address, and without an address, which may
 * contain a key. Throws any error that is not of the market or the node.
 */
export function faultText(error: unknown): string {
  if (error instanceof Misfit) return error.message;
  if (!(error instanceof UpstreamFault || error instanceof RpcFault)) throw error;
  const cause = causeOf(error);
  const [, advice = NETWORK] = ADVICE.find(([pattern]) => pattern.test(cause)) ?? [];
  return `${cause}. ${advice}`;
}

function causeOf(error: UpstreamFault | RpcFault): string {
  if (error instanceof UpstreamFault && error.status !== null && error.status !== 200)
    return `answered ${error.status}`;
  // Messages of the client begin with the path, and those of the node with a word that adds nothing.
  const message = error.message.replace(/^(\/[\w/-]+:? |unreachable: )/, '');
  if (/ENOTFOUND|EAI_AGAIN/.test(message)) return 'host name not resolved';
  return message.replace(/^unexpected server response: /i, 'answered ');
}
