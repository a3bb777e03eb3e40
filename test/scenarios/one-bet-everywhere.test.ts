import { expect, test } from 'vitest';
import { createPresenter } from '../../bots/shared/posts/create-presenter.ts';
import { plainText } from '../../bots/shared/screen.ts';
import type { Alert } from '../../src/core/alerts/alert.ts';
import { cardOf } from '../../src/core/alerts/cards/card.ts';
import { ExitReader } from '../../src/core/alerts/exits/exit-reader.ts';
import { newestOfThreads } from '../../src/core/alerts/ledger/thread.ts';
import { cents, dollars, oneLine } from '../../src/core/base/text/formats.ts';
import type { ChatMessage } from '../../src/core/chat/chat-message.ts';
import type { Database } from '../../src/core/database.ts';
import { MarketPrices } from '../../src/core/record/prices/market-prices.ts';
import { alertJson } from '../../src/http/views/alert-view.ts';
import { wordsOf } from '../site/observed-site.ts';
import { postOf } from '../support/chat/messages.ts';
import { AFTER_MIDTERMS, playMidterms } from '../support/site/midterms.ts';
import { startSite } from '../support/site.ts';

const BETS = 50;

interface BetFigures {
  readonly put_in_usdc: number;
  readonly mean_price: number;
  readonly to_win_usdc: number;
  readonly held_share: number | null;
  readonly result_usdc: number | null;
}

interface Stated {
  readonly id: number;
  readonly won: boolean | null;
  readonly details: { readonly bet: BetFigures };
}

/** `$3,203 12¢ $23,489`: put in, mean price, to win, as a person reads them in a text about the outcome. */
function stakeIn(text: string, outcome: string): string {
  const name = outcome.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const [, putIn, price, toWin] =
    new RegExp(
      `(\\$[\\d,.]+) on ${name}(?: in [\\d,]+ buys)? at ([\\d.]+¢)(?: on average, the last \\$[\\d,.]+,)? to win (\\$[\\d,.]*\\d)`,
    ).exec(text) ?? [];
  return `${putIn} ${price} ${toWin}`;
}

/** `won $1,320 on the 24% held`, as a person reads it; `none` in a text without a result. */
function resultIn(text: string): string {
  const found =
    /(?:(?:won|lost) \$[\d,.]*\d(?: on the \d+% held)?(?: if held)?|(?:right|wrong), nothing was held)/i.exec(
      text,
    );
  return found?.[0].toLowerCase() ?? 'none';
}

function stakeOf({ put_in_usdc, mean_price, to_win_usdc }: BetFigures): string {
  return `${dollars(put_in_usdc)} ${cents(mean_price)} ${dollars(to_win_usdc)}`;
}

function resultOf({ won, details: { bet } }: Stated): string {
  const { held_share: held, result_usdc: result } = bet;
  if (result === null) return 'none';
  if (held === 0) return `${won ? 'right' : 'wrong'}, nothing was held`;
  const words = `${result > 0 ? 'won' : 'lost'} ${dollars(Math.abs(result))}`;
  if (held === null) return `${words} if held`;
  const percent = 100 - Math.floor(100 * (1 - held) + 1e-9);
  return percent === 100 ? words : `${words} on the ${percent}% held`;
}

/** Half of them are of several orders, of clusters, or were sold. */
function chosen(alerts: readonly Alert[], sold: ReadonlySet<number>): readonly Alert[] {
  const isSpecial = ({ id, type, details }: Alert) =>
    sold.has(id) || type === 'cluster' || details.marketBuyCount > 1;
  const newest = newestOfThreads(alerts).toReversed();
  const special = newest.filter(isSpecial).slice(0, BETS / 2);
  return [...special, ...newest.filter((alert) => !isSpecial(alert)).slice(0, BETS / 2)];
}

function presenterOver(database: Database, exits: ExitReader, now: number) {
  const { alerts, hiddenWallets, log, chat, prices } = database;
  return createPresenter({
    ...{ alerts, exits, hiddenWallets, log, messages: chat, channelDelayMs: 0, freeDelayMs: 0 },
    prices: new MarketPrices(prices, async () => null, { now: () => now }),
    siteUrl: null,
    pagesUrl: null,
    profileUrlOf: () => 'https://t.me/example_bot',
    contact: null,
    clock: { now: () => now },
  });
}

const messageOf = (kind: 'personal_alert' | 'personal_result', alert: Alert) =>
  ({
    ...{ id: `${kind}:${alert.id}`, recipient: 'customer:1', kind, createdAt: alert.createdAt },
    facts: { alertId: alert.id, threadId: alert.threadId, seq: 1, followNames: [], platform: 'telegram' },
  }) as unknown as ChatMessage;

test('50 bets of the midterms have the same figures on page, card, list, feed, REST, frame, webhook, post and chat', async () => {
  const { database, clock, issue, get, page } = await startSite();
  await playMidterms(database);
  clock.set(AFTER_MIDTERMS - clock.now());
  const { secret } = await issue({ tier: 'enterprise' });
  const exits = new ExitReader(database);
  const all = await database.alerts.after(0, 1_000);
  const lastExits = await exits.ofList(newestOfThreads(all), clock.now());
  const bets = chosen(all, new Set(lastExits.keys()));
  const present = presenterOver(database, exits, clock.now());
  const textOf = async (message: ChatMessage) => {
    const screen = await present(message);
    return screen === null ? '' : plainText(screen);
  };
  const seen = new Set<string>();

  for (const alert of bets) {
    const { id, wallet, eventSlug, type } = alert;
    const outcome = oneLine(alert.outcome);
    const exit = lastExits.get(id) ?? null;
    const stated: Stated = (await get(`/alerts/${id}`, secret)).body;
    const { bet } = stated.details;
    const [stake, result] = [stakeOf(bet), resultOf(stated)];
    seen.add(result.replaceAll(/[\d,.]+/g, 'N'));
    const list = `wallet=${wallet}&market=${eventSlug}&alert_type=${type}`;

    // Of the bet as it is now: equal in every field.
    const { alerts: found } = (await get(`/alerts?${list}&expand=details`, secret)).body;
    expect(found.find((one: Stated) => one.id === id)?.details.bet, `list ${id}`).toEqual(bet);
    const json = JSON.parse((await page(`/alerts/${id}.json`)).text);
    expect(json.alert.details.bet, `page as JSON ${id}`).toEqual(bet);

    // Of the bet as of its alert: nothing was settled yet, and later sales are not known.
    const frame: Stated = JSON.parse(alertJson({ ...alert, resolution: null }));
    expect([stakeOf(frame.details.bet), frame.details.bet.result_usdc], `frame ${id}`).toEqual([stake, null]);

    // As a person reads it.
    // Without the other bets of its wallet.
    const [html = ''] = (await page(`/alerts/${id}`)).text.split('id="others"');
    const row = (await page(`/?${list}`)).text
      .split('<article')
      .find((part) => part.includes(`alert-${id}-row`));
    const { trade, stamp } = cardOf({ alert, newest: alert, exit });
    const feed = JSON.parse((await page(`/feed.json?${list}`)).text);
    const item = feed.items.find(({ url }: { url: string }) => url.endsWith(`/alerts/${id}`));
    const post = await textOf(postOf(id) as ChatMessage);
    const told = await textOf(messageOf('personal_alert', alert));
    const isPriced = json.price_now !== null && !json.alert.resolved;
    const priced = isPriced ? `now ${cents(json.price_now)}` : '';
    expect(/now [\d.]+¢/.exec(told)?.[0] ?? '', `price now ${id}`).toBe(priced);
    seen.add(isPriced ? 'price now' : 'no price now');
    const ended = result === 'none' ? '' : await textOf(messageOf('personal_result', alert));
    const texts = {
      page: wordsOf(html),
      row: wordsOf(`<article${row}`),
      card: trade,
      feed: item.content_text,
      post,
      chat: told,
    };
    for (const [name, text] of Object.entries(texts))
      expect([name, id, stakeIn(text, outcome)]).toEqual([name, id, stake]);
    const results = { page: texts.page, row: texts.row, card: stamp?.words ?? '', post, chat: ended };
    for (const [name, text] of Object.entries(results))
      expect([name, id, resultIn(text)]).toEqual([name, id, result]);
  }

  expect(bets).toHaveLength(BETS);
  // Open bets, results of whole ones, and of what was sold before.
  expect([...seen]).toEqual(expect.arrayContaining(['none', 'lost $N', 'won $N', 'price now']));
  expect([...seen].some((words) => /nothing was held|% held/.test(words))).toBe(true);
}, 120_000);
