import { describe, expect, test } from 'vitest';
import { onSqlite } from '../../infra/database/each-database.ts';
import { alertOf } from '../../support/alerts.ts';
import { actionsOf, away, openConsoleFixture, postIsOut, wordsOfScreen } from './console-fixture.ts';

const WALLET = '0x00000000000000000000000000000000000000aa';
const OTHER = '0x00000000000000000000000000000000000000BB';

onSqlite('what an operator states', (fixture) => {
  const open = () => openConsoleFixture(undefined, fixture.database);

  test('annotate, hide and unhide are stored in order, with the wallet in lower case', async () => {
    const stand = await open();
    for (const line of [
      `annotate ${OTHER} A market maker.`,
      `hide ${OTHER} court order`,
      `unhide ${OTHER} lifted`,
    ])
      expect((await stand.confirm(line))?.name).toBe('admin_done');

    const wallet = OTHER.toLowerCase();
    const rest = { at: stand.clock.now(), wallet, alertId: null };
    expect(await fixture.database.statements.after(0, 10)).toEqual([
      { number: 1, kind: 'annotate', reason: 'A market maker.', ...rest },
      { number: 2, kind: 'hide', reason: 'court order', ...rest },
      { number: 3, kind: 'unhide', reason: 'lifted', ...rest },
    ]);
  });

  test('hide and unhide count once: what is so already is refused', async () => {
    const stand = await open();
    expect(await stand.confirmed(`unhide ${WALLET} lifted`)).toBe(`${WALLET} is not hidden.`);
    await stand.confirm(`hide ${WALLET} court order`);
    expect(await fixture.database.statements.hiddenWallets()).toEqual([WALLET]);
    expect(await stand.confirmed(`hide ${WALLET} court order`)).toBe(`${WALLET} is hidden already.`);
    await stand.confirm(`unhide ${WALLET} lifted`);
    expect(await stand.confirmed(`unhide ${WALLET} lifted`)).toBe(`${WALLET} is not hidden.`);
    expect(await fixture.database.statements.hiddenWallets()).toEqual([]);
    expect(await fixture.database.statements.after(0, 10)).toHaveLength(2);
  });
});

describe('before it is done', () => {
  test('hide says what it does, and nothing is stated without a yes', async () => {
    const stand = await openConsoleFixture();
    const asked = await stand.type(`hide ${WALLET} asked for by its owner`);

    expect(wordsOfScreen(asked)).toBe(
      `Hide ${WALLET}?

asked for by its owner

Posts and chat say “a hidden wallet” instead of the address, without a link. Published posts are edited. Its alerts stay and are counted; the API and the log still show the address.

The public log gets an entry with the address and the reason, which cannot be removed. “unhide” shows the address again.`,
    );
    await stand.tap(actionsOf(asked)[1] as string);
    expect(await stand.database.statements.after(0, 10)).toEqual([]);
  });

  test.each(['annotate', 'unhide'])('%s says that the reason becomes public permanently', async (name) => {
    const stand = await openConsoleFixture();
    await stand.confirm(`hide ${WALLET} court order`);
    expect(await stand.ask(`${name} ${WALLET} some words`)).toContain('some words\n\n');
    expect(await stand.ask(`${name} ${WALLET} some words`)).toContain('public log');
  });

  test('withdraw says that the log names it, and with what reason', async () => {
    const { ask } = await openConsoleFixture();
    expect(await ask('withdraw 1')).toContain('The public log gets a permanent entry without a reason.');
    expect(await ask('withdraw 1 wrong market')).toContain('with this reason: wrong market');
  });

  test.each([
    ['hide', 'WALLET is an address: 0x and 40 hexadecimal digits'],
    ['hide 0x1234 court order', 'WALLET is an address'],
    [`hide ${WALLET}0 court order`, 'WALLET is an address'],
    [`hide ${WALLET.replace('aa', 'ag')} court order`, 'WALLET is an address'],
    [`hide ${WALLET.slice(2)} court order`, 'WALLET is an address'],
    [`hide ${WALLET}`, 'REASON has 3 to 280 characters; this one has 0.'],
    [`annotate ${WALLET} ab`, 'this one has 2.'],
    [`unhide ${WALLET} ${'x'.repeat(281)}`, 'this one has 281.'],
    [`hide ${WALLET} two\nlines`, 'REASON is one line of text'],
    [`hide ${WALLET} two\u2028lines`, 'REASON is one line of text'],
    [`hide ${WALLET} turned \u202e round`, 'REASON is one line of text'],
    [`hide ${WALLET} half a \ud83d`, 'REASON is one line of text'],
    ['withdraw 1 ab', 'REASON has 3 to 280 characters; this one has 2.'],
    ['withdraw court order', 'ALERT_ID is the number of an alert'],
    ['statements 0x12', 'WALLET is an address'],
  ])('“%s” is answered with what is wrong, and changes nothing', async (line, words) => {
    const { type, audited, database } = await openConsoleFixture();
    const screen = await type(line);
    expect(screen?.name).toBe('admin_bad_arguments');
    expect(wordsOfScreen(screen)).toContain(words);
    expect(await audited()).toEqual([]);
    expect(await database.statements.after(0, 10)).toEqual([]);
  });

  test.each(['abc', 'x'.repeat(280), '💥'.repeat(280), 'Ünïcode & <tags>, `code` – “quotes”'])(
    'the reason “%s” is taken as it is',
    async (reason) => {
      const stand = await openConsoleFixture();
      await stand.confirm(`annotate ${WALLET} ${reason}`);
      expect(await stand.database.statements.ofWallet(WALLET)).toMatchObject([{ reason }]);
    },
  );

  test('a secret in a reason is never published', async () => {
    const stand = await openConsoleFixture();
    await stand.confirm(`annotate ${WALLET} uses sk_live_abcdefghijKLMNOPQRSTUVWXYZabcdefghijklmnopqrs`);
    expect(await stand.database.statements.ofWallet(WALLET)).toMatchObject([
      { reason: 'uses sk_live_abcdefghij' },
    ]);
  });
});

describe('reading what was stated', () => {
  test('statements of a wallet: newest first, and whether it is hidden', async () => {
    const stand = await openConsoleFixture();
    expect(await stand.ask(`statements ${OTHER}`)).toBe(
      `${OTHER.toLowerCase()} is not hidden\n\nNo statements.`,
    );
    await stand.confirm(`annotate ${WALLET} a market maker`);
    await stand.confirm(`hide ${WALLET} court order`);
    expect(await stand.ask(`statements ${WALLET.toUpperCase().replace('X', 'x')}`)).toMatch(
      /^0x0+aa is hidden\n\n#2 20\S+ \S+ UTC hide: court order\n\n#1 20\S+ \S+ UTC annotate: a market maker$/,
    );
  });

  test('statements alone: the wallets that are hidden now', async () => {
    const stand = await openConsoleFixture();
    expect(await stand.ask('statements')).toBe('No wallet is hidden.');
    await stand.confirm(`hide ${WALLET} court order`);
    expect(await stand.ask('statements')).toBe(`1 hidden wallet\n\n${WALLET}`);
    await stand.confirm(`hide ${OTHER} court order`);
    expect(await stand.ask('statements')).toBe(`2 hidden wallets\n\n${WALLET}\n\n${OTHER.toLowerCase()}`);
  });

  test('why: a hidden wallet is not named, what was stated about it is; the log’s entry is', async () => {
    const stand = await openConsoleFixture();
    const log = { sequence: 1_234, hash: 'ab'.repeat(32) };
    await stand.database.alerts.append(alertOf({ id: 2, log }));
    await stand.confirm(`hide ${WALLET} court order`);
    const words = await stand.ask('why 2');
    expect(words).toContain('\nWallet: a hidden wallet\nThread 2');
    expect(words).toMatch(/\n\n#1 20\S+ \S+ UTC hide: court order$/);
    expect(words).toContain(`after the trade\nlog 1234:${log.hash}\n\n`);
    expect(words).not.toContain(WALLET);
  });

  test('why shows nothing of a wallet whose statements cannot be read', async () => {
    const { type } = await openConsoleFixture(({ database }) => ({
      database: { statements: { ...database.statements, ofWallet: away } },
    }));
    expect((await type('why 1'))?.name).toBe('admin_sorry');
  });
});

describe('posts that are out', () => {
  test('are put in line to be edited when their wallet is hidden, and again when it is shown', async () => {
    const stand = await openConsoleFixture();
    await postIsOut(stand);
    expect(await stand.confirmed(`hide ${WALLET} court order`)).toBe(
      `${WALLET} is hidden. Statement 1. 1 post will be edited.`,
    );
    expect(await stand.confirmed(`unhide ${WALLET} lifted`)).toBe(
      `${WALLET} is no longer hidden. Statement 2. 1 post will be edited.`,
    );
    const due = await stand.database.chat.due({
      lane: 'channel:telegram',
      now: stand.clock.now(),
      limit: 10,
    });
    expect(due.map(({ id }) => id)).toEqual(['redraw:1:1@telegram', 'redraw:1:2@telegram']);
    expect(await stand.confirmed(`hide ${OTHER} court order`)).toContain('0 posts will be edited.');
  });

  test('are made up for by the same command after a fault, without a second statement', async () => {
    let isAway = true;
    const stand = await openConsoleFixture(({ database: { chat } }) => ({
      database: { chat: { ...chat, add: (messages) => (isAway ? away() : chat.add(messages)) } },
    }));
    await postIsOut(stand);
    expect((await stand.confirm(`hide ${WALLET} court order`))?.name).toBe('admin_sorry');
    isAway = false;
    expect(await stand.confirmed(`hide ${WALLET} court order`)).toBe(
      `${WALLET} is hidden already. 1 post will be edited.`,
    );
    expect((await stand.confirm(`hide ${WALLET} court order`))?.name).toBe('admin_refused');
    expect(await stand.database.statements.after(0, 10)).toHaveLength(1);
  });
});

describe('a withdrawal', () => {
  test('whose statement failed is stated by the same command, once', async () => {
    let isAway = true;
    const stand = await openConsoleFixture(({ database: { statements }, withdraw }) => ({
      database: {
        statements: { ...statements, append: (one) => (isAway ? away() : statements.append(one)) },
      },
      async withdraw(id) {
        await stand.database.chat.withdraw('alert:1@telegram', 1);
        return withdraw(id);
      },
    }));
    expect((await stand.confirm('withdraw 1'))?.name).toBe('admin_sorry');
    isAway = false;
    expect(await stand.confirmed('withdraw 1 court order')).toBe('Alert 1: withdrawn before. Statement 1.');
    expect((await stand.confirm('withdraw 1'))?.name).toBe('admin_refused');
    expect(await stand.database.statements.after(0, 10)).toMatchObject([
      { alertId: 1, reason: 'court order' },
    ]);
  });
});
