import { describe, expect, test } from 'vitest';
import type { Alert } from '../../src/core/alerts/alert.ts';
import type { Exit } from '../../src/core/alerts/exits/exit.ts';
import { type WalletPosition, walletPositions } from '../../src/core/alerts/wallet-report.ts';
import { alertRow } from '../../src/site/parts/alert-row.ts';
import { code } from '../../src/site/parts/code.ts';
import { titleOf } from '../../src/site/parts/labels.ts';
import { marked } from '../../src/site/parts/markdown.ts';
import { positionRow } from '../../src/site/parts/position-row.ts';
import { alertOf, exitOf } from '../support/alerts.ts';

const HOSTILE = `<script>alert("1")</script>\u202e\u0000\ud800 'x' ${'y'.repeat(100_000)}`;

describe('texts of a market', () => {
  test('are one line of 200 code points at most, of which nothing is markup', () => {
    const alert = alertOf({ id: 1, eventTitle: HOSTILE, outcome: HOSTILE, eventSlug: '"><img src=x>' });
    expect([...titleOf(alert)].length).toBe(200);
    expect([...titleOf({ eventTitle: '😀'.repeat(300) })].length).toBe(200);
    const row = alertRow({ alert, priceNow: null, exit: null }).toString();
    expect(row).not.toMatch(/<script|<img|[\p{Cs}\u202e]/u);
    expect(row).not.toContain('\u0000');
    expect(row.length).toBeLessThan(3_000);
    expect(row).toContain('href="/markets/%22%3E%3Cimg%20src%3Dx%3E"');
  });

  test('are text in a block of code, as the log has them, and in our own marks', () => {
    const block = code('"><img src=x>', `${HOSTILE} &lt;`).toString();
    expect(block).not.toMatch(/<script|<img/);
    expect(block).toContain('&amp;lt;');
    expect(marked(`${HOSTILE} \`${HOSTILE}\` **${HOSTILE}**`).join('')).not.toContain('<script');
  });

  test('are the same in a position', () => {
    const hostile = { eventTitle: HOSTILE, outcome: HOSTILE, eventSlug: '"><img src=x>' };
    const [position] = walletPositions([alertOf({ id: 1, ...hostile })]);
    const row = positionRow({ ...(position as WalletPosition), priceNow: null, exit: null }).toString();
    expect(row).not.toMatch(/<script|<img|[\p{Cs}\u202e]/u);
    expect(row.length).toBeLessThan(3_000);
  });

  test('have words where there are none', () => {
    expect(titleOf({ eventTitle: ' \u202e\n ' })).toBe('A market without a title');
  });
});

describe('a position', () => {
  const words = (given: Partial<Alert>, shown: { priceNow?: number; exit?: Exit } = {}) => {
    const [position] = walletPositions([alertOf({ id: 1, ...given })]);
    const listed = { ...(position as WalletPosition), priceNow: null, exit: null, ...shown };
    return positionRow(listed)
      .toString()
      .replace(/<[^>]+>/g, ' ')
      .replace(/\s+/g, ' ');
  };

  test('that was sold says what the sale brought, and gains while the price falls', () => {
    const text = words({ side: 'SELL' }, { priceNow: 0.1 });
    expect(text).toContain('Sold Yes · alert 1');
    expect(text).toContain('Sold for $2,000 Sold at 40¢ Now 10¢ Exits No sale seen Result +$1,500 so far');
  });

  test('of clusters alone leads to the cluster: its exits are those of several wallets', () => {
    expect(words({ type: 'cluster' })).toContain('Exits see the cluster');
    expect(words({}, { exit: exitOf({ number: 1, profitUsdc: -70.56 }) })).toContain(
      'Exits sold 60 % at 71¢: −$71',
    );
  });
});

describe('a row', () => {
  const rowOf = (priceNow: number | null, given: Partial<Alert> = {}) =>
    alertRow({ alert: alertOf({ id: 1, ...given }), priceNow, exit: null }).toString();
  const words = (row: string) =>
    row
      .match(/class="price">(.*?)<span class="result/)?.[1]
      ?.replace(/<[^>]+>/g, '')
      .trim();

  test('says the price then and now, with the sign of the way between', () => {
    expect(words(rowOf(0.475))).toBe('40¢, now 47.5¢ +7.5¢');
    expect(words(rowOf(0.39))).toBe('40¢, now 39¢ −1¢');
    expect(words(rowOf(0.4))).toBe('40¢, now 40¢ ±0¢');
    expect(words(rowOf(null))).toBe('40¢');
  });

  test('has the mean price of the bet, and the way from it; screen readers hear it once, in the trade', () => {
    expect(rowOf(0.5)).toContain('<span aria-hidden="true">40¢,</span> now 50¢');
    const details = { ...alertOf({ id: 1 }).details, marketBuyCount: 3, marketAvgPrice: 0.35 };
    expect(rowOf(0.5, { details })).toMatch(/at 35¢ to win /);
    expect(words(rowOf(0.5, { details }))).toBe('35¢, now 50¢ +15¢');
  });

  test('shows a fall as right for a wallet that sold', () => {
    const classOf = (side: 'BUY' | 'SELL', priceNow: number) =>
      alertRow({ alert: alertOf({ id: 1, side }), priceNow, exit: null })
        .toString()
        .match(/class="(right|wrong|muted)">[+−±]/)?.[1];
    expect([0.5, 0.3, 0.4].map((price) => classOf('BUY', price))).toEqual(['right', 'wrong', 'muted']);
    expect([classOf('SELL', 0.5), classOf('SELL', 0.3)]).toEqual(['wrong', 'right']);
  });

  test('has no link for a market whose slug is no part of a path', () => {
    const row = alertRow({
      alert: alertOf({ id: 1, eventSlug: '..' }),
      priceNow: null,
      exit: null,
    }).toString();
    expect(row).not.toContain('/markets/');
    expect(row).toContain('<bdi>Will the measure pass?</bdi>');
  });
});
