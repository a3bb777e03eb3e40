import { describe, expect, test, vi } from 'vitest';
import type { HiddenWallets } from '../../../src/core/alerts/hidden-wallets.ts';
import { onSqlite } from '../../infra/database/each-database.ts';
import { alertOf } from '../../support/alerts.ts';
import { storeAlerts } from '../../support/stored.ts';
import { actionsOf, away, openConsoleFixture, postIsOut, wordsOfScreen } from './console-fixture.ts';

const WALLET = '0x00000000000000000000000000000000000000aa';
const OTHER = '0x00000000000000000000000000000000000000BB';

onSqlite('hiding a wallet', (fixture) => {
  const open = () => openConsoleFixture(undefined, fixture.database);

  test('stores it in lower case with its reason, if there is one; off shows it again', async () => {
    const stand = await open();
    await stand.confirm(`hide ${OTHER} court order`);
    await stand.confirm(`hide ${WALLET}`);
    const at = stand.clock.now();
    expect(await fixture.database.hiddenWallets.list()).toEqual([
      { wallet: WALLET, reason: null, at },
      { wallet: OTHER.toLowerCase(), reason: 'court order', at },
    ]);
    await stand.confirm(`hide ${OTHER} off`);
    expect(await stand.ask('hide')).toMatch(
      new RegExp(`^1 hidden wallet\\n\\n${WALLET} since 20\\S+ \\S+ UTC$`),
    );
  });

  test('counts once: what is so already is refused', async () => {
    const stand = await open();
    expect(await stand.ask('hide')).toBe('No wallet is hidden.');
    expect(await stand.confirmed(`hide ${WALLET} off`)).toBe(`${WALLET} is not hidden.`);
    await stand.confirm(`hide ${WALLET} court order`);
    expect(await stand.confirmed(`hide ${WALLET} another`)).toBe(`${WALLET} is hidden already.`);
    expect(await fixture.database.hiddenWallets.list()).toMatchObject([{ reason: 'court order' }]);
    await stand.confirm(`hide ${WALLET} off`);
    expect(await stand.confirmed(`hide ${WALLET} off`)).toBe(`${WALLET} is not hidden.`);
  });
});

describe('before it is done', () => {
  test('hide says what it does, and nothing is hidden without a yes', async () => {
    const stand = await openConsoleFixture();
    const asked = await stand.type(`hide ${WALLET} asked for by its owner`);

    expect(wordsOfScreen(asked)).toBe(
      `Hide ${WALLET}?

Pages, posts and chat say “a hidden wallet” instead of the address, without a link. Published posts are edited. Its alerts stay and are counted; the API and the log still show the address.

“hide ${WALLET} off” shows the address again.`,
    );
    await stand.tap(actionsOf(asked)[1] as string);
    expect(await stand.database.hiddenWallets.list()).toEqual([]);
  });

  test('withdraw says where the alert is marked, and with what reason', async () => {
    const { ask } = await openConsoleFixture();
    expect(await ask('withdraw 1')).toContain('chat mark it as withdrawn, without a reason.');
    expect(await ask('withdraw 1 wrong market')).toContain('with this reason: wrong market');
  });

  test.each([
    ['hide 0x1234 court order', 'WALLET is an address: 0x and 40 hexadecimal digits'],
    [`hide ${WALLET}0 court order`, 'WALLET is an address'],
    [`hide ${WALLET.replace('aa', 'ag')} court order`, 'WALLET is an address'],
    [`hide ${WALLET.slice(2)} court order`, 'WALLET is an address'],
    [`hide ${WALLET} ab`, 'REASON has 3 to 280 characters; this one has 2.'],
    [`hide ${WALLET} ${'x'.repeat(281)}`, 'this one has 281.'],
    [`hide ${WALLET} two\nlines`, 'REASON is one line of text'],
    [`hide ${WALLET} two\u2028lines`, 'REASON is one line of text'],
    [`hide ${WALLET} turned \u202e round`, 'REASON is one line of text'],
    [`hide ${WALLET} half a \ud83d`, 'REASON is one line of text'],
    ['withdraw 1 ab', 'REASON has 3 to 280 characters; this one has 2.'],
    ['withdraw court order', 'ALERT_ID is the number of an alert'],
  ])('“%s” is answered with what is wrong, and changes nothing', async (line, words) => {
    const { type, audited, database } = await openConsoleFixture();
    const screen = await type(line);
    expect(screen?.name).toBe('admin_bad_arguments');
    expect(wordsOfScreen(screen)).toContain(words);
    expect(await audited()).toEqual([]);
    expect(await database.hiddenWallets.list()).toEqual([]);
  });

  test('a secret in a reason is never published', async () => {
    const stand = await openConsoleFixture();
    await stand.confirm('withdraw 1 uses sk_live_abcdefghijKLMNOPQRSTUVWXYZabcdefghijklmnopqrs');
    const { withdrawn } = (await stand.database.alerts.byId(1)) ?? {};
    expect(withdrawn).toMatchObject({ reason: 'uses sk_live_abcdefghij' });
  });
});

describe('why', () => {
  test('does not name a hidden wallet, says when and why its alert was withdrawn, and shows the log’s entry', async () => {
    const stand = await openConsoleFixture();
    await storeAlerts(stand.database, alertOf({ id: 2 }));
    const log = await stand.database.log.last();
    await stand.confirm(`hide ${WALLET} court order`);
    await stand.confirm('withdraw 2 wrong market');
    const words = await stand.ask('why 2');
    expect(words).toContain('\nWallet: a hidden wallet\nThread 2');
    expect(words).toMatch(/\n\nWithdrawn 20\S+ \S+ UTC: wrong market$/);
    expect(words).toContain(`after the trade\nlog 2:${log?.hash}\n\n`);
    expect(words).not.toContain(WALLET);
  });

  test('shows nothing while it cannot be known whether the wallet is hidden', async () => {
    const hiddenWallets = { list: away } as unknown as HiddenWallets;
    const { type } = await openConsoleFixture(() => ({ database: { hiddenWallets } }));
    expect((await type('why 1'))?.name).toBe('admin_sorry');
  });
});

describe('posts that are out', () => {
  test.each(['', ' off'])('are made up for by the same command after a fault: hide%s', async (off) => {
    const stand = await openConsoleFixture();
    await postIsOut(stand);
    if (off !== '') await stand.confirm(`hide ${WALLET}`);
    await stand.clock.advance(1);
    const adding = vi.spyOn(stand.database.chat, 'add').mockImplementation(away);
    expect((await stand.confirm(`hide ${WALLET}${off}`))?.name).toBe('admin_sorry');
    adding.mockRestore();
    expect(await stand.confirmed(`hide ${WALLET}${off}`)).toBe(
      `${WALLET} is ${off === '' ? 'hidden already' : 'not hidden'}. 1 post will be edited.`,
    );
    expect((await stand.confirm(`hide ${WALLET}${off}`))?.name).toBe('admin_refused');
  });
});

describe('a withdrawal', () => {
  test('of an alert without a post marks it', async () => {
    const stand = await openConsoleFixture();
    await storeAlerts(stand.database, alertOf({ id: 2 }));
    expect(await stand.confirmed('withdraw 2')).toBe('Alert 2 is withdrawn: no post.');
    expect((await stand.database.alerts.byId(2))?.withdrawn).toEqual({ at: stand.clock.now(), reason: null });
    expect(stand.withdrawn).toEqual([]);
  });

  test('whose mark failed is marked by the same command, once', async () => {
    let isAway = true;
    const stand = await openConsoleFixture(({ markWithdrawn, withdraw }) => ({
      markWithdrawn: (mark) => (isAway ? away() : markWithdrawn(mark)),
      async withdraw(id) {
        await stand.database.chat.withdraw('alert:1@telegram', 1);
        return withdraw(id);
      },
    }));
    expect((await stand.confirm('withdraw 1'))?.name).toBe('admin_sorry');
    isAway = false;
    expect(await stand.confirmed('withdraw 1 court order')).toBe('Alert 1 is withdrawn: no post.');
    expect((await stand.confirm('withdraw 1'))?.name).toBe('admin_refused');
    expect((await stand.database.alerts.byId(1))?.withdrawn).toMatchObject({ reason: 'court order' });
  });
});
