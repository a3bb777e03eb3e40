import { once } from 'node:events';
import { type AgentOptions, Agent as HttpAgent, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { BlockList, isIP, isIPv6, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import { buildConnector } from 'undici';
import type { Connect } from './agent.ts';
import { codeOf } from './attempt-failure.ts';

/** Proxies for outgoing connections. The addresses are secrets: they may contain a password. */
export interface ProxySettings {
  /** For https and wss. */
  readonly https: string | null;
  /** For http and ws. */
  readonly http: string | null;
  /** For what has no proxy of its own. */
  readonly all: string | null;
  /** What is reached directly: `*`, host names (with their subdomains), addresses and CIDR ranges, each with or without a port. */
  readonly exceptions: readonly string[];
}

/** The proxy for an address; null where connections go directly. */
export function proxyFor(address: string, proxies: ProxySettings | undefined): URL | null {
  if (proxies === undefined) return null;
  const { isSecure, host, port } = targetOf(address);
  const proxy = (isSecure ? proxies.https : proxies.http) ?? proxies.all;
  if (proxy === null || proxies.exceptions.some((exception) => isExcepted(exception, host, port)))
    return null;
  return new URL(proxy);
}

function targetOf(address: string) {
  const { protocol, hostname, port } = new URL(address);
  const isSecure = protocol === 'https:' || protocol === 'wss:';
  return { isSecure, host: withoutBrackets(hostname), port: port || (isSecure ? '443' : '80') };
}

function isExcepted(exception: string, host: string, port: string): boolean {
  if (exception === '*') return true;
  const [, bracketed, plain = exception, only] = /^(?:\[(.*)\]|([^:]*))(?::(\d+))?$/.exec(exception) ?? [];
  if (only !== undefined && only !== port) return false;
  const name = (bracketed ?? plain).toLowerCase().replace(/^\*?\./, '');
  return isIP(host) === 0 ? host === name || host.endsWith(`.${name}`) : isWithin(host, name);
}

function isWithin(address: string, range: string): boolean {
  const [family, most] = isIPv6(address) ? (['ipv6', 128] as const) : (['ipv4', 32] as const);
  const [network = '', bits = String(most)] = range.split('/');
  if (isIP(network) !== isIP(address) || !(Number(bits) <= most)) return false;
  const list = new BlockList();
  list.addSubnet(network, Number(bits), family);
  return list.check(address, family);
}

function withoutBrackets(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '');
}

/** For `createAgent`: connects through the proxy for each target, or directly. */
export function proxiedConnect(proxies: ProxySettings | undefined): Connect {
  return async (target, signal) => {
    const address = `${target.protocol}//${target.host ?? target.hostname}`;
    const proxy = proxyFor(address, proxies);
    if (proxy === null) return connectDirectly(target);
    const tunnel = await openTunnel(proxy, address, signal);
    return target.protocol === 'https:' ? connectDirectly({ ...target, httpSocket: tunnel }) : tunnel;
  };
}

const connector = buildConnector({ allowH2: false });

function connectDirectly(target: buildConnector.Options): Promise<Socket> {
  return new Promise((resolve, reject) => {
    connector(target, (error, socket) => (error === null ? resolve(socket) : reject(error)));
  });
}

/** An agent of Node for one address, for clients that take no connector: `ws` and node-fetch. */
export function proxiedAgent(
  address: string,
  proxies: ProxySettings | undefined,
  agentOptions?: AgentOptions,
): HttpAgent {
  const { isSecure } = targetOf(address);
  const agent = isSecure ? new HttpsAgent(agentOptions) : new HttpAgent(agentOptions);
  const proxy = proxyFor(address, proxies);
  if (proxy === null) return agent;
  agent.createConnection = (target, done) => {
    const options = target as ConnectionOptions;
    const secured = (socket: Socket) => (isSecure ? connectTls({ ...options, socket }) : socket);
    openTunnel(proxy, address).then(
      (tunnel) => done?.(null, secured(tunnel)),
      (error: Error) => done?.(error, undefined as never),
    );
    return undefined;
  };
  return agent;
}

const CONNECT_MS = 10_000;

/** A connection to the target through the proxy (CONNECT). Errors name the proxy without its password. */
async function openTunnel(proxy: URL, address: string, signal?: AbortSignal): Promise<Socket> {
  const { host, port } = targetOf(address);
  const authority = `${isIPv6(host) ? `[${host}]` : host}:${port}`;
  const request = proxy.protocol === 'https:' ? httpsRequest : httpRequest;
  const proxyHost = withoutBrackets(proxy.hostname);
  const asked = request({
    host: proxyHost,
    // By default Node checks the certificate for the name in the header `host`.
    servername: isIP(proxyHost) === 0 ? proxyHost : '',
    port: proxy.port,
    method: 'CONNECT',
    path: authority,
    headers: { host: authority, ...authorizationOf(proxy) },
    agent: false,
    signal: AbortSignal.any([AbortSignal.timeout(CONNECT_MS), ...(signal === undefined ? [] : [signal])]),
  });
  asked.end();
  const [{ statusCode }, socket] = await once(asked, 'connect').catch((error: Error) => {
    signal?.throwIfAborted();
    throw new Error(`proxy ${proxy.host} unavailable: ${error.message || codeOf(error)}`, { cause: error });
  });
  if (statusCode === 200) return socket;
  socket.destroy();
  throw new Error(`proxy ${proxy.host} answered ${statusCode}`);
}

function authorizationOf({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {};
  const words = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(words).toString('base64')}` };
}
