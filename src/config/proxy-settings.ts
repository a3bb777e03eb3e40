import querystring from 'node:querystring';
import { z } from 'zod';
import { optional, setting } from './setting.ts';

export const PROXY_SETTINGS = {
  https: optional(
    'HTTPS_PROXY',
    proxyAddress(),
    'HTTP proxy for outgoing https and wss connections: the market, the node, the bots. Webhooks are never sent through a proxy. `http://HOST:PORT`, `https://HOST:PORT`, with `USER:PASSWORD@` where it asks for them; only its host is logged. The lower-case name is read too, and wins.',
  ),
  http: optional('HTTP_PROXY', proxyAddress(), 'The same for http and ws.'),
  all: optional('ALL_PROXY', proxyAddress(), 'The same for what has none of the two.'),
  exceptions: setting(
    'NO_PROXY',
    z.string().transform((text) => text.split(/[\s,]+/).filter((entry) => entry !== '')),
    '',
    'What is reached without the proxy, separated by commas: `*`, hosts (with their subdomains), addresses and ranges like `10.0.0.0/8`, each also with `:PORT`.',
  ),
};

/** Never repeats the value: it may hold a password. */
function proxyAddress() {
  return z.string().transform((text, context): string => {
    const url = URL.parse(text.includes('://') ? text : `http://${text}`);
    if (url !== null && /^https?:$/.test(url.protocol)) {
      // Written so that it can be decoded: a password may contain a plain percent sign.
      url.username = encodeURIComponent(querystring.unescape(url.username));
      url.password = encodeURIComponent(querystring.unescape(url.password));
      return url.href;
    }
    context.addIssue(
      'expected an HTTP proxy like http://proxy.example.com:3128; other kinds, such as SOCKS, are not supported',
    );
    return z.NEVER;
  });
}

/** The environment with the lower-case names of these settings, which other programs prefer. */
export function withLowerCaseProxies(
  environment: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string | undefined>> {
  const names = Object.values(PROXY_SETTINGS).map(({ variable }) => variable);
  const given = names.map((name) => [name, environment[name.toLowerCase()] || environment[name]]);
  return { ...environment, ...Object.fromEntries(given) };
}
