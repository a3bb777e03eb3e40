import type { MissingItem } from '../../bots/shared/bot-setup.ts';
import type { Config } from '../config.ts';

/** The address of the API in chat. `address`: where this process listens; null when it does not. */
export function urlInChat({ publicUrl, port }: Config['server'], address: string | null): string {
  return publicUrl ?? address ?? `http://127.0.0.1:${port}`;
}

/** Where people can open the pages; null without an https address. Without a slash at its end. */
export function siteUrlOf({ publicUrl }: Config['server']): string | null {
  return publicUrl?.startsWith('https://') === true ? publicUrl : null;
}

/** The hosts of `HOST` and `PUBLIC_URL`, as a request names them. */
export function ownHosts({ host, publicUrl }: Config['server']): readonly string[] {
  return [inUrl(host), ...(publicUrl === null ? [] : [new URL(publicUrl).hostname])];
}

/** An IPv6 address has brackets in a URL. */
export function inUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

/** Null when `PUBLIC_URL` is set. */
export function missingPublicUrl(server: Config['server'], address: string | null): MissingItem | null {
  if (server.publicUrl !== null) return null;
  const shown = urlInChat(server, address);
  const remedy = `set PUBLIC_URL to the public address of the API: messages with a key show ${shown}, which leads users to their own machine`;
  return { name: 'public_url', remedy };
}
