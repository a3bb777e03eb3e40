import { expect, test } from 'vitest';
import { plainText } from '../../bots/shared/screen.ts';
import { SECOND_MS } from '../../src/core/base/time/duration.ts';
import { alertOf } from '../support/alerts.ts';
import { everyScreen, openConversationVisit } from '../support/chat/conversation-visit.ts';
import { connectMcp } from '../support/mcp-client.ts';
import { startSite } from '../support/site.ts';

const START_PAGES = [
  ...['/', '/about', '/docs', '/docs/errors', '/status', '/record', '/markets'],
  ...['/alerts/1', '/alerts/999', '/feed.xml', '/feed.json', '/llms.txt'],
  ...['/api/v1/openapi.json', '/api/v1/asyncapi.json', '/api/v1/hot-markets', '/api/v1/log/head'],
];
const LINK = /href="(\/(?:docs|log|alerts|markets|wallets)[^"#?]*)/g;
/** Other times of five minutes: how old a signed request may be, how long a copy of an answer and of an answer's figures is kept. */
const OTHERS = /older than 5 minutes|5 blocks every 5 minutes/g;

/** All texts that a service serves: pages, documents, refusals, feeds, and what agents read. */
async function servedTexts(freeDelayMs: number): Promise<ReadonlyMap<string, string>> {
  const api = await startSite({ freeDelayMs, publicRequestsPerMinute: null });
  await api.append(alertOf({ id: 1, createdAt: api.clock.now() - freeDelayMs - SECOND_MS }));
  const texts = new Map<string, string>();
  const paths = [...START_PAGES];
  for (const path of paths) {
    const { text } = await api.page(path);
    texts.set(path, text);
    for (const [, link = ''] of text.matchAll(LINK)) if (!paths.includes(link)) paths.push(link);
  }
  const { secret } = await api.issue({ tier: 'free' });
  const refused = ['/alerts/999', '/outcomes/999', '/exits/999', '/wallets/0x1', '/markets/none'];
  for (const path of refused) texts.set(`refused ${path}`, (await api.get(path, secret)).text);
  const client = await connectMcp(api.baseUrl);
  texts.set('instructions', client.getInstructions() ?? '');
  texts.set('tools', JSON.stringify(await client.listTools()));
  const { resources } = await client.listResources();
  for (const { uri } of resources) texts.set(uri, JSON.stringify(await client.readResource({ uri })));
  return texts;
}

async function chatTexts(freeDelayMs: number): Promise<readonly string[]> {
  const visit = await openConversationVisit(undefined, freeDelayMs);
  await visit.fixture.addAlerts();
  return (await everyScreen(visit)).map(plainText);
}

test.each([
  [120, '2 minutes'],
  [90, '90 seconds'],
  [3_600, '1 hour'],
  [0, '0 seconds'],
])(
  'with FREE_DELAY_SECONDS=%i nothing speaks of five minutes: it is %s wherever it is said',
  async (seconds, words) => {
    const served = await servedTexts(seconds * SECOND_MS);
    const chat = await chatTexts(seconds * SECOND_MS);

    for (const [place, text] of [...served, ...chat.entries()]) {
      const said = text
        .replaceAll(OTHERS, '')
        .match(/.{0,60}\b(?:5|five) minutes.{0,40}|.{0,60}\b300 s(?:econds)?\b.{0,40}/g);
      expect({ place, said }).toEqual({ place, said: null });
      expect(text).not.toContain('{free_delay}');
    }
    for (const place of ['/docs/errors', '/api/v1/openapi.json', '/llms.txt', '/feed.json', 'instructions'])
      expect({ place, said: served.get(place)?.includes(words) }).toEqual({ place, said: true });
    expect(served.size).toBeGreaterThan(40);
    if (seconds > 0) expect(chat.some((text) => text.includes(`${words} late`))).toBe(true);
  },
);
