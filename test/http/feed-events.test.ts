import { parseFeed } from '@rowanmanning/feed-parser';
import { parseJsonFeed } from 'feedsmith';
import { describe, expect, test } from 'vitest';
import { type Exit, exitDraft } from '../../src/core/alerts/exits/exit.ts';
import { enterWithdrawal } from '../../src/core/alerts/withdrawal.ts';
import { sha256 } from '../../src/infra/secrets/key-crypto.ts';
import { candidateOf, exitOf } from '../support/alerts.ts';
import { ask, FREE_DELAY_MS, startApi } from '../support/api-server.ts';
import { ledgerParts } from '../support/ledger.ts';
import { START } from '../support/rows.ts';

const OLD = START - FREE_DELAY_MS;
const EVERY = 'events=alert,outcome,exit';

/** A market with an alert of score 72, one with an alert of 40, and one without: all settled, and each position sold. */
async function startWithEvents() {
  const api = await startApi();
  const { ledger, writer } = ledgerParts(api.database);
  await ledger.open(1);
  const publish = (marketId: string, score: number, at: number) =>
    ledger.append([
      {
        candidate: candidateOf({ key: `k${at}`, marketId, score, tradedAt: at, eventSlug: marketId }),
        ...{ tradedAt: at, detectedAt: at, isHistory: false },
      },
    ]);
  const settle = (id: string, payouts: readonly number[], at: number) =>
    ledger.resolve({ id, outcomes: ['Yes', 'No'], payouts }, at);
  await publish('0xm1', 72, OLD - 9_000);
  await publish('0xm2', 40, OLD - 8_000);
  const sold = { createdAt: OLD - 7_000, eventSlug: '0xm1', marketId: '0xm1', alertIds: [1] };
  const sell = (...exits: readonly Exit[]) => writer.append(exits.map(exitDraft));
  await sell(
    exitOf({ number: 1, ...sold, threadId: 1 }),
    exitOf({ number: 2, ...sold, threadId: 2, alertIds: [2], level: 'out', createdAt: OLD - 6_000 }),
  );
  await settle('0xm0', [1, 0], OLD - 5_000);
  await settle('0xm1', [1, 0], OLD - 4_000);
  await settle('0xm2', [0.5, 0.5], OLD - 3_000);
  const feed = (query: string) => ask(`${api.baseUrl}/feed.json?${query}`, {});
  return {
    ...api,
    publish,
    sell,
    settle,
    json: async (query: string) => parseJsonFeed((await feed(query)).text),
    ids: async (query: string) => (parseJsonFeed((await feed(query)).text).items ?? []).map(({ id }) => id),
    xml: async (query: string) => (await ask(`${api.baseUrl}/feed.xml?${query}`, {})).text,
  };
}

const urn = (...names: readonly string[]) => names.map((name) => `urn:tipoff:${name}`);

describe('events in a feed', () => {
  test('a withdrawn alert says so in its title', async () => {
    const { database, json } = await startWithEvents();
    await enterWithdrawal({ ...database, sha256 }, { alertId: 1, at: OLD, reason: 'wrong market' });
    const { items = [] } = await json('events=alert');
    expect(items.map(({ title = '' }) => /\(.*\)/.exec(title)?.[0])).toEqual([
      '(score 40)',
      '(score 72, withdrawn)',
    ]);
  });

  test('are alerts, outcomes and exits as items of their own, newest first, in words', async () => {
    const { json, xml } = await startWithEvents();
    const { title, items } = await json(EVERY);
    expect(title).toBe('Tipoff alerts, outcomes and exits');
    expect(items?.map(({ id }) => id)).toEqual(
      urn('outcome:3', 'outcome:2', 'exit:2', 'exit:1', 'alert:2', 'alert:1'),
    );
    const [split, won, out, half, , alert] = items ?? [];
    expect(won).toMatchObject({
      url: 'https://api.example.com/markets/0xm1',
      title: 'Will the measure pass? (settled: Yes)',
      content_text:
        'Settled: Yes. 1 bet, 1 right. The newest: $2,000 on Yes at 40¢ to win $3,000: sold 60% at 71¢; won $1,200 on the 40% held.',
      tags: ['politics', 'outcome'],
    });
    expect(split?.title).toBe('Will the measure pass? (settled: Yes 50¢, No 50¢)');
    expect(half).toMatchObject({
      url: 'https://api.example.com/alerts/1',
      title: 'Will the measure pass? (exit: half or more)',
      content_text: 'Yes: Sold 60% at 71¢ after 3 h: +$7,680.',
      tags: ['politics', 'exit'],
    });
    expect(out?.title).toBe('Will the measure pass? (exit: all)');
    // Exits are items here: the alert does not change.
    expect([alert?.date_modified, alert?.content_text?.includes('Sold')]).toEqual([undefined, false]);
    expect(parseFeed(await xml(EVERY)).items.map(({ id }) => id)).toEqual(items?.map(({ id }) => id));
  });

  test.each([
    ['', ['alert:2', 'alert:1']],
    ['events=', ['alert:2', 'alert:1']],
    ['events=exit', ['exit:2', 'exit:1']],
    ['events=outcome', ['outcome:3', 'outcome:2']],
    ['events=exit,outcome&min_signal=50', ['outcome:2', 'exit:1']],
    ['events=outcome,alert&market=0xm2', ['outcome:3', 'alert:2']],
    [`${EVERY}&search=nothing`, []],
  ])('%s has those whose alert passes: %j', async (query, expected) => {
    const { ids } = await startWithEvents();
    expect(await ids(query)).toEqual(urn(...expected));
  });

  test('a correction takes the place of the outcome as a new item', async () => {
    const { ids, json, settle } = await startWithEvents();
    await settle('0xm1', [0, 1], OLD - 2_000);
    expect(await ids('events=outcome')).toEqual(urn('outcome:4', 'outcome:3'));
    const [corrected] = (await json('events=outcome&min_signal=50')).items ?? [];
    expect(corrected?.title).toBe('Will the measure pass? (settled: No)');
  });

  test('exits and outcomes appear when free keys see them, and not before', async () => {
    const { ids, settle, publish, sell, get, issue, clock } = await startWithEvents();
    const { secret } = await issue({ tier: 'free' });
    await publish('0xm9', 90, START);
    // Of an alert that everyone sees.
    await sell(exitOf({ number: 3, alertIds: [1], createdAt: START + 1_000 }));
    await settle('0xm9', [1, 0], START + 2_000);
    const before = urn('outcome:3', 'outcome:2', 'exit:2', 'exit:1', 'alert:2', 'alert:1');
    const seen = async () => {
      const exits = (await get('/exits?after=2', secret)).body.exits.length;
      const outcomes = (await get('/outcomes?after=3', secret)).body.outcomes.length;
      const news = (await ids(EVERY)).filter((id) => !before.includes(id ?? ''));
      return [news, exits, outcomes];
    };
    expect(await seen()).toEqual([[], 0, 0]);
    await clock.jump(FREE_DELAY_MS + 1_500);
    expect(await seen()).toEqual([urn('exit:3', 'alert:3'), 1, 0]);
    await clock.advance(61_000);
    expect(await seen()).toEqual([urn('outcome:4', 'exit:3', 'alert:3'), 1, 1]);
  });
});
