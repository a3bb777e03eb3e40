import { describe, expect, test } from 'vitest';
import type { Alert } from '../../src/core/alerts/alert.ts';
import { MINUTE_MS } from '../../src/core/base/time/duration.ts';
import { alertAt, minute, startObserved, WON } from './observed-site.ts';

const WALLET = `0x${'ab'.repeat(20)}`;
const PAGE = `/wallets/${WALLET}`;
const LOST = { payout: 0, won: false, profitUsdc: -2_000 };

/** Alerts of the wallet in settled markets: one in three was wrong. */
function settled(count: number): readonly Alert[] {
  return Array.from({ length: count }, (_, index) =>
    alertAt(index, {
      ...{ id: index + 1, wallet: WALLET, marketId: `0xm${index}` },
      resolution: index % 3 === 0 ? LOST : WON,
    }),
  );
}

function clusterAt(id: number): Alert {
  const alert = alertAt(0, { id, type: 'cluster', wallet: WALLET });
  return { ...alert, details: { ...alert.details, wallets: ['0xaa', '0xbb', WALLET], clusterTotal: 9_000 } };
}

describe('the page of a wallet', () => {
  test('shows when it was first seen, its alerts, and results once there are enough; no search engine has it', async () => {
    const few = await startObserved({ alerts: settled(9) });
    expect(await few.words(PAGE)).toContain(
      'First alert 2026-01-02 1 day old then Alerts 9 of its own Results Too few to say 9 positions in 9 settled markets; with fewer than 10 markets they may be chance',
    );
    const enough = await startObserved({ alerts: settled(12) });
    expect(await enough.words(PAGE)).toContain(
      'Right 67 % 12 positions in 12 settled markets: 8 more right, 4 more wrong; each market counts once Profit +$16,000',
    );
    const html = await enough.read(PAGE);
    expect(html).toContain('<meta name="robots" content="noindex" />');
    expect(html.match(/<article/g)).toHaveLength(12);
  });

  test('lists the clusters that it is a member of, also where it has no alert of its own', async () => {
    const { words, read } = await startObserved({ alerts: [clusterAt(1)] });
    expect(await words(PAGE)).toContain(
      'Clusters Score 72 of 100 3 wallets, $9,000 on Yes at 40¢ to win $3,000 Will the measure pass?',
    );
    const ids = [...(await read(PAGE)).matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(ids).toEqual([...new Set(ids)]);
    const other = `0x${'cd'.repeat(20)}`;
    const member = { ...clusterAt(1), wallet: '0xaa' };
    const details = { ...member.details, wallets: ['0xaa', other] };
    const joined = await startObserved({ alerts: [{ ...member, details }] });
    expect(await joined.words(`/wallets/${other}`)).toContain('as a member of a cluster Alerts 0 of its own');
  });

  test('what is no wallet of an alert has no page', async () => {
    const { page } = await startObserved({ alerts: settled(1) });
    for (const none of ['0x', 'x', `${WALLET}0`, `0x${'cd'.repeat(20)}`])
      expect((await page(`/wallets/${none}`)).status).toBe(404);
  });

  test('shows what operators noted; a hidden wallet has none, and looks like one that is not known', async () => {
    const { read, page, clock, words, database } = await startObserved({ alerts: settled(1) });
    const about = { at: minute(0), wallet: WALLET, alertId: null, reason: 'an <i>exchange</i>' };
    await database.statements.append({ ...about, kind: 'annotate' });
    expect(await words(PAGE)).toContain(
      'A note of the operator, 2026-01-02 00:00 UTC: an &lt;i&gt;exchange&lt;/i&gt;',
    );
    await database.statements.append({ ...about, kind: 'hide' });
    await clock.advance(MINUTE_MS + 1);
    const unknown = await page(`/wallets/0x${'cd'.repeat(20)}`);
    expect([(await page(PAGE)).status, await read(PAGE)]).toEqual([404, unknown.text]);
  });
});
