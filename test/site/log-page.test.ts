import { execFileSync } from 'node:child_process';
import { describe, expect, test, vi } from 'vitest';
import { exitBody } from '../../src/core/alerts/exits/exit-body.ts';
import {
  type JsonObject,
  LOG_KINDS,
  type LogDraft,
  type LogKind,
} from '../../src/core/alerts/log/log-entry.ts';
import { entryLine } from '../../src/core/alerts/log/seal.ts';
import { alertView } from '../../src/http/views/alert-view.ts';
import { alertOf, exitOf } from '../support/alerts.ts';
import { ask, FREE_DELAY_MS } from '../support/api-server.ts';
import { appendDrafts, outcomesAt } from '../support/log-entries.ts';
import { START } from '../support/rows.ts';
import { unescaped } from '../support/site/walk-site.ts';
import { BROWSER, startSite } from '../support/site.ts';
import { wordsOf } from './observed-site.ts';

const OLD = START - FREE_DELAY_MS;
const DECEMBER = Date.parse('2025-12-31T23:59:59.999Z');
const WALLET = `0x${'ab'.repeat(20)}`;

const draft = (kind: LogKind, body: object): LogDraft => ({
  ...{ kind, subject: kind, at: OLD },
  body: JSON.parse(JSON.stringify(body)) as JsonObject,
});
const many = (count: number) =>
  outcomesAt(...Array.from({ length: count }, (_, index) => OLD - count + index));

async function startWithLog(drafts: readonly LogDraft[]) {
  const server = await startSite({ publicRequestsPerMinute: null });
  const entries = await appendDrafts(server.database.log, drafts);
  const words = async (path: string) => wordsOf(unescaped((await server.page(path)).text));
  return { ...server, entries, words };
}

const market = { market_id: '0xm1', outcomes: ['Yes', 'No'] };
const exit = exitOf({ number: 3 });
const SAID: Readonly<Record<LogKind, readonly [body: object, words: string]>> = {
  software: [{ version: '1.0.0' }, 'Software Version 1.0.0 of the service started'],
  rules: [{ version: '4', sha256: 'a' }, 'Rules Rules of version 4 are in force'],
  alert: [alertView(alertOf({ id: 1 })), 'Alert 1 $'],
  outcome: [{ ...market, payouts: [1, 0] }, 'Outcome Yes won · Will the measure pass?'],
  correction: [
    { ...market, payouts: [0.5, 0.5] },
    'Correction Settled again: Paid Yes 50¢, No 50¢ · Will the measure pass?',
  ],
  exit: [exitBody(exit), 'Exit 3 Alert 1: Sold 60 % at 71¢ after 3 h: +$7,680 · '],
  exit_correction: [
    exitBody({ ...exit, corrects: 2 }),
    'Exit withdrawn Alert 1: Exit 2 is withdrawn: trades that became known later show that more was held',
  ],
  positions_lost: [
    { reason: 'rows' },
    'Positions lost The positions of earlier alerts are no longer followed: trades are missing from the source',
  ],
  withdrawal: [
    { alert_id: 1, number: 1, reason: null },
    'Posts deleted The posts of alert 1 were deleted 2026',
  ],
  annotation: [
    { action: 'annotate', number: 2, wallet: WALLET, reason: 'A market\u202e maker.' },
    'Statement The operator says about 0xabab…abab: “A market maker.”',
  ],
  blind_opened: [
    { id: 'w', started_at: '2026-01-01T00:00:00.000Z', cause: 'rate_limited' },
    'Blind The market is not seen. The market asked to wait (HTTP 429).',
  ],
  blind_closed: [
    {
      ...{ id: 'w', started_at: '2026-01-01T00:00:00.000Z', ended_at: '2026-01-01T02:00:00.000Z' },
      cause: 'stalled',
    },
    'Sees again The market is seen again, after 2 h',
  ],
};

describe('/log', () => {
  test('is a page for who accepts HTML, and the list of files for programs; no cache can mix them up', async () => {
    const { baseUrl, page } = await startWithLog(many(3));
    const html = await page('/log');
    expect([html.status, html.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    for (const accept of ['*/*', 'application/json', 'application/json, text/plain, */*']) {
      // A cache that has the page, and does not look at `Vary`, asks with its tag.
      const headers = { accept, 'if-none-match': html.headers.get('etag') ?? '' };
      const data = await ask(`${baseUrl}/log`, { headers });
      expect([data.status, data.body.head.sequence]).toEqual([200, 3]);
      for (const answer of [data, html]) {
        expect(answer.headers.get('vary')).toMatch(/\baccept(?:,|$)/);
        expect(answer.headers.get('cache-control')).toBe('public, no-cache');
      }
    }
    const open = await ask(`${baseUrl}/log`);
    expect([open, html].map(({ headers }) => headers.get('access-control-allow-origin'))).toEqual([
      '*',
      null,
    ]);
    const head = await ask(`${baseUrl}/log`, { method: 'HEAD', headers: BROWSER });
    expect([head.status, head.headers.get('etag')]).toEqual([200, html.headers.get('etag')]);
  });

  test('has a readable line for each kind of entry, with the market or the alert as a link', async () => {
    const server = await startWithLog(LOG_KINDS.map((kind) => draft(kind, SAID[kind][0])));
    await server.append(alertOf({ id: 1, createdAt: OLD }));
    const { text } = await server.page('/log');
    const rows = text.split('<ol class="buys">')[1]?.split('<li>').slice(1) ?? [];
    expect(rows).toHaveLength(LOG_KINDS.length);
    for (const [index, kind] of LOG_KINDS.toReversed().entries()) {
      const number = LOG_KINDS.length - index;
      expect(wordsOf(unescaped(rows[index] ?? ''))).toContain(`${number} ${SAID[kind][1]}`);
      expect(rows[index]).toContain(`href="/log/${number}"`);
    }
    const linksTo = (kind: LogKind) => rows[LOG_KINDS.length - 1 - LOG_KINDS.indexOf(kind)];
    expect(linksTo('alert')).toContain('href="/alerts/1"');
    expect(linksTo('exit')).toContain('href="/alerts/1"');
    expect(linksTo('outcome')).toContain('href="/markets/will-the-measure-pass"');
  });

  test('is read by number and by month, 30 entries at a time, in reads of at most 30', async () => {
    const drafts = [...outcomesAt(DECEMBER - 1, DECEMBER), ...many(118)];
    const { page, database } = await startWithLog(drafts);
    const reads = vi.spyOn(database.log, 'after');
    const read = async (path: string) => {
      const { text } = await page(path);
      const numbers = [...text.matchAll(/<li>\s*<a href="\/log\/(\d+)">/g)].map(([, number]) =>
        Number(number),
      );
      const links = [...text.matchAll(/href="(\/log(?:\?through=\d+)?)#list"/g)].map(([, link]) => link);
      return { numbers, links };
    };
    const first = await read('/log');
    expect([first.numbers[0], first.numbers.length, first.numbers.at(-1)]).toEqual([120, 30, 91]);
    expect(first.links).toEqual(['/log', '/log?through=2', '/log?through=90']);
    const older = await read('/log?through=90');
    expect([older.numbers[0], older.numbers.at(-1), older.links.slice(2)]).toEqual([
      90,
      61,
      ['/log', '/log?through=60'],
    ]);
    expect((await read('/log?through=2')).numbers).toEqual([2, 1]);
    for (const wrong of ['9999', '0', 'x'])
      expect((await read(`/log?through=${wrong}`)).numbers[0]).toBe(120);
    expect(Math.max(...reads.mock.calls.map(([, { limit }]) => limit))).toBe(30);
  });

  test('of the empty log says so', async () => {
    const { words } = await startWithLog([]);
    expect(await words('/log')).toContain('No entry is public yet.');
  });
});

describe('/log/N', () => {
  test('has the entry’s hash and those of its neighbours, and a command that computes it from the line', async () => {
    const body = {
      action: 'annotate',
      number: 1,
      wallet: WALLET,
      reason: 'It’s Zoë\'s "desk" \u202e & <co>\u{e0041}',
    };
    const { page, baseUrl, entries } = await startWithLog([
      ...many(1),
      draft('annotation', body),
      ...outcomesAt(OLD),
    ]);
    const { text } = await page('/log/2');
    expect(text).toContain(
      '"name":"Log","item":"https://api.example.com/log"},{"@type":"ListItem","position":3,',
    );
    for (const { hash, sequence } of entries) {
      expect(text).toContain(`<code>${hash}</code>`);
      expect(text.includes(`href="/log/${sequence}"`)).toBe(sequence !== 2);
    }
    const line = (await ask(`${baseUrl}/log/2.json`)).text;
    expect(line).toBe(entryLine(entries[1] as (typeof entries)[1]));
    const [, command = ''] = /<code>(curl .*?)<\/code>/.exec(text) ?? [];
    const [, given, rest = ''] = /^curl -s (\S+) \| (.*)$/.exec(unescaped(command)) ?? [];
    expect(given).toBe('https://api.example.com/log/2.json');
    expect(execFileSync('sh', ['-c', rest], { input: line, encoding: 'utf8' })).toBe(
      `${entries[1]?.hash}  -\n`,
    );
    const content = unescaped(/aria-label="Content of the entry"><code>(.*?)<\/code>/s.exec(text)?.[1] ?? '');
    expect(content).toMatch(/^[^\u202e]*\\u202e[^\u202e]*\\udb40\\udc41[^\u202e]*$/);
    expect(JSON.parse(content)).toEqual(body);
  });

  test('does not exist before the free delay, as a page and as JSON; its neighbour does not name it', async () => {
    const server = await startWithLog(outcomesAt(OLD, OLD + 60_000));
    const both = async () => [
      (await server.page('/log/2')).status,
      (await server.page('/log/2.json')).status,
    ];
    expect(await both()).toEqual([404, 404]);
    expect(await server.words('/log/1')).toContain('After none is public yet');
    expect(await server.words('/log')).not.toContain(server.entries[1]?.hash);
    await server.clock.advance(61_000);
    expect(await both()).toEqual([200, 200]);
    expect(await server.words('/log/1')).toContain('After Entry 2, with the hash');
  });

  test('that is no number of an entry is not found; another form of one leads to its address', async () => {
    const { page, baseUrl } = await startWithLog(many(1));
    const paths = [
      '/log/0',
      '/log/2',
      '/log/x',
      '/log/2026-01',
      '/log/0.json',
      '/log/01.json',
      '/log/x.json',
    ];
    for (const path of paths) expect([path, (await page(path)).status]).toEqual([path, 404]);
    const moved = await ask(`${baseUrl}/log/01`, { headers: BROWSER, redirect: 'manual' });
    expect([moved.status, moved.headers.get('location')]).toEqual([301, '/log/1']);
  });

  test('does not name a hidden wallet in its words; its content is that of the log', async () => {
    const body = { action: 'hide', number: 1, wallet: WALLET, reason: 'Asked for.' };
    const { database, page } = await startWithLog([draft('annotation', body)]);
    await database.statements.append({
      kind: 'hide',
      wallet: WALLET,
      alertId: null,
      reason: 'Asked for.',
      at: OLD,
    });
    const { text } = await page('/log/1');
    expect(wordsOf(text)).toContain('Posts and pages stop naming a hidden wallet: “Asked for.”');
    expect(text).not.toContain(`/wallets/${WALLET}`);
    expect(unescaped(text)).toContain(`"wallet": "${WALLET}"`);
  });
});
