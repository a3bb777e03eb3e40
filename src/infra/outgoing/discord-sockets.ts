import { createRequire } from 'node:module';
import { type ClientOptions, WebSocket } from 'ws';
import { type ProxySettings, proxiedAgent } from './proxy.ts';

/**
 * Gives the gateway connection of discord.js its proxy. discord.js has no option for this: it takes the class of its
 * sockets from `ws` when it is loaded, so this must be called before. Without a proxy it changes nothing.
 */
export function proxyDiscordSockets(proxies: ProxySettings): void {
  if ((proxies.https ?? proxies.http ?? proxies.all) === null) return;
  const shared: { WebSocket: typeof WebSocket } = createRequire(import.meta.url)('ws');
  shared.WebSocket = class extends WebSocket {
    constructor(url: string, protocols: string[], options: ClientOptions) {
      super(url, protocols, { ...options, agent: proxiedAgent(url, proxies) });
    }
  } as typeof WebSocket;
}
