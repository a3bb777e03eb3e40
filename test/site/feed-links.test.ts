import { parseJsonFeed } from 'feedsmith';
import { expect, test } from 'vitest';
import { feedQuery } from '../../src/site/feed-links.ts';
import { alertOf, exitOf } from '../support/alerts.ts';
import { FREE_DELAY_MS } from '../support/api-server.ts';
import { START } from '../support/rows.ts';
import { startSite } from '../support/site.ts';
import { storeExits } from '../support/stored.ts';

const WALLET = `0x${'bb'.repeat(20)}`;

test.each([
  ['/', ''],
  ['/record', ''],
  ['/alerts/7', ''],
  ['/?category=crypto&min_signal=60&resolved=true&before_id=9', '?category=crypto&min_signal=60'],
  ['/?search=a+%26+%3Cb%3E', '?search=a+%26+%3Cb%3E'],
  [`/wallets/${WALLET}?before_id=9`, `?wallet=${WALLET}&events=alert%2Coutcome%2Cexit`],
  ['/markets/a%26b', '?market=a%26b&events=alert%2Coutcome%2Cexit'],
])('the page %s has the feed %s', (path, query) => {
  expect(feedQuery(path)).toBe(query);
});

test('each page advertises a feed that has what it shows', async () => {
  const { append, clock, page, database } = await startSite();
  await append(
    alertOf({ id: 1 }),
    alertOf({ id: 2, wallet: WALLET, eventSlug: 'a&"b"', marketId: '0xm2', category: 'crypto' }),
  );
  await storeExits(
    database,
    exitOf({ number: 1, wallet: WALLET, alertIds: [2], threadId: 2, createdAt: START + 3_000 }),
  );
  await clock.jump(FREE_DELAY_MS + 60_000);
  const feedOf = async (path: string) => {
    const { status, text } = await page(path);
    const links = [...text.matchAll(/<link rel="alternate" type="([^"]+)" title="([^"]*)" href="([^"]+)"/g)];
    expect([status, links.map(([, type]) => type)]).toEqual([
      200,
      ['application/atom+xml', 'application/feed+json'],
    ]);
    const address = links[1]?.[3]?.replaceAll('&amp;', '&') ?? '';
    const { items = [] } = parseJsonFeed((await page(address)).text);
    return [links[1]?.[2], ...items.map(({ id }) => id?.replace('urn:tipoff:', ''))];
  };
  expect(await feedOf('/')).toEqual(['Alerts', 'alert:2', 'alert:1']);
  expect(await feedOf('/?category=politics')).toEqual(['Alerts: Politics', 'alert:1']);
  expect(await feedOf(`/wallets/${WALLET}`)).toEqual(['Wallet 0xbbbb…bbbb', 'exit:1', 'alert:2']);
  expect(await feedOf(`/markets/${encodeURIComponent('a&"b"')}`)).toEqual([
    'Will the measure pass?',
    'exit:1',
    'alert:2',
  ]);
});
