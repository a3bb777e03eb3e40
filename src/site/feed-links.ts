import { conditionShape } from '../http/query/alert-query.ts';
import { type Html, html } from './html.ts';

const FORMATS = [
  ['/feed.xml', 'application/atom+xml'],
  ['/feed.json', 'application/feed+json'],
] as const;

/** Pages of one wallet or market show what became of positions as well. */
const EVERY_EVENT = 'alert,outcome,exit';

/** The feed of what a page shows, by the page's address: the list's filters, a wallet, a market, else all alerts. */
export function feedLinks({
  path,
  title,
}: {
  readonly path: string;
  readonly title: string;
}): readonly Html[] {
  const query = feedQuery(path);
  const name = query === '' ? 'Alerts' : title;
  return FORMATS.map(
    ([feed, type]) => html`<link rel="alternate" type="${type}" title="${name}" href="${feed + query}" />`,
  );
}

export function feedQuery(path: string): string {
  const { pathname, searchParams } = new URL(path, 'http://localhost');
  const [, section, name = ''] = pathname.split('/');
  const query = new URLSearchParams();
  const isOne = name !== '';
  if (section === 'wallets' && isOne) query.set('wallet', name);
  else if (section === 'markets' && isOne) query.set('market', decodeURIComponent(name));
  else if (section === '')
    for (const [condition, value] of searchParams)
      if (Object.hasOwn(conditionShape, condition)) query.set(condition, value);
  if (section !== '' && query.size > 0) query.set('events', EVERY_EVENT);
  return query.size === 0 ? '' : `?${query}`;
}
