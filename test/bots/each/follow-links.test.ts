import { expect, onTestFinished, test } from 'vitest';
import { MINUTE_MS } from '../../../src/core/base/time/duration.ts';
import {
  type Followed,
  followedAlert,
  followedFilter,
  followedMarketReport,
  followedWallet,
} from '../../../src/site/followed.ts';
import { followPanel } from '../../../src/site/parts/follow-panel.ts';
import { openConversationFixture } from '../../support/chat/conversation-fixture.ts';
import { onEachBot } from '../../support/chat/each-bot.ts';
import { unescaped } from '../../support/site/walk-site.ts';

const WALLET = '0x00000000000000000000000000000000000000aa';

onEachBot('what a page offers to follow', (open, platform) => {
  /** A person who does what the panel says: opens the link, or sends the command. */
  async function openWithAlerts() {
    const fixture = await openConversationFixture();
    onTestFinished(() => fixture.close());
    await fixture.addAlerts();
    await fixture.clock.advance(6 * MINUTE_MS);
    const { person } = await open({ conversation: fixture.makeConversation(platform) });
    const ann = person('ann');
    const url = platform === 'telegram' ? 'https://t.me/tip_bot' : 'https://discord.com/users/1';
    const ways = { bots: [{ platform, url }], publicUrl: 'https://api.example.com' };
    const alert = await fixture.database.alerts.byId(2);
    if (alert === null) throw new Error('there is no alert 2');
    return {
      alert,
      tap: ann.tap,
      send(followed: Followed) {
        const panel = unescaped(followPanel(followed, ways).toString());
        const payload = /\?start=([\w-]{1,64})"/.exec(panel)?.[1];
        const [, command = '', option, text] = /<code>\/(\w+) (what):([^\n]*?)<\/code>/.exec(panel) ?? [];
        if (platform === 'telegram') return ann.command('start', payload);
        expect([command, option]).toEqual(['follow', 'what']);
        return ann.command(command, text);
      },
      async follows() {
        const { id: customerId } = await fixture.customer();
        const { follows } = await fixture.follows.of({ customerId, platform });
        return follows.map(({ subject }) => subject);
      },
    };
  }

  test('shows what a filter brings before it is saved, and then saves it', async () => {
    const { send, tap, follows } = await openWithAlerts();
    const search = 'measure "2" & <b>pass?</b>';
    const query = {
      categories: ['politics', 'tech'] as const,
      min_signal: 60,
      min_position: 500,
      side: 'BUY',
    } as const;

    const seen = await send(followedFilter({ ...query, categories: [...query.categories], sort: 'win' }));
    expect(seen.text).toContain('Filter: politics or tech, score 60 or more, $500 or more, buys');
    expect(seen.text).toContain('The newest\n72 · $2,000 on Yes');
    expect(await follows()).toEqual([]);
    await tap('Follow');
    expect((await send(followedFilter({ search, alert_type: 'cluster' }))).text).toContain(
      `Filter: cluster of new wallets, “${search}”`,
    );
    await tap('Follow');
    expect((await send(followedFilter({}))).text).toContain('Filter: all alerts');

    const filter = { categories: ['politics', 'tech'], minScore: 60, minPosition: 500, side: 'BUY' };
    expect(await follows()).toEqual([
      { kind: 'filter', filter },
      { kind: 'filter', filter: { type: 'cluster', search } },
    ]);
  });

  test('shows a wallet, a market and an alert, and then saves them', async () => {
    const { alert, send, tap, follows } = await openWithAlerts();
    expect((await send(followedWallet(WALLET))).text).toContain('It is 1 day old.');
    await tap('Follow');
    expect((await send(followedMarketReport({ newest: alert, resolution: null }))).text).toMatch(
      platform === 'telegram' ? 'Market Will measure 2 pass?' : 'Market Will measure 3 pass?',
    );
    await tap('Follow');
    expect((await send(followedAlert(alert, new Set()))).text).toContain('What do you want to follow?');
    expect(await follows()).toMatchObject([
      { kind: 'wallet', wallet: WALLET },
      { kind: 'market', marketId: platform === 'telegram' ? '0xm2' : '0xm3' },
    ]);
  });
});
