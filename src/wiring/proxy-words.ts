import type { Config } from '../config.ts';
import { proxyFor } from '../infra/outgoing/proxy.ts';

/** Which proxy is used for what, in a sentence for each, without passwords; null when no proxy is set. */
export function proxyWords({
  proxy,
  market,
  chat,
}: Pick<Config, 'proxy' | 'market' | 'chat'>): string | null {
  if ((proxy.https ?? proxy.http ?? proxy.all) === null) return null;
  const targets: readonly (readonly [name: string, address: string | null])[] = [
    ['the Data API', market.dataUrl],
    ['the Gamma API', market.gammaUrl],
    ['the live stream', market.streamUrl],
    ['the order book stream', market.clobUrl],
    ['the node', market.rpcUrl],
    ['Telegram', chat.telegram.apiRoot],
    ['Discord', chat.discord.apiRoot],
  ];
  const routes = targets.flatMap(([name, address]) =>
    address === null ? [] : [{ name, via: proxyFor(address, proxy)?.host ?? null }],
  );
  const groups = [...Map.groupBy(routes, ({ via }) => via)].map(([via, members]) => {
    const names = members.map(({ name }) => name).join(', ');
    return via === null ? `Without a proxy: ${names}.` : `Through the proxy ${via}: ${names}.`;
  });
  return [...groups, 'Webhooks are always sent without a proxy.'].join(' ');
}
