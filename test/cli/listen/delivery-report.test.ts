import { describe, expect, test } from 'vitest';
import { deliveryReport, deliveryWords } from '../../../src/cli/listen/delivery-report.ts';
import { typeInSentence } from '../../../src/core/alerts/alert-names.ts';
import { describeTrade } from '../../../src/core/alerts/describe-alert.ts';
import { alertJson, sampleAlertJson } from '../../../src/http/views/alert-view.ts';
import { exitEventJson } from '../../../src/http/views/exit-view.ts';
import { outcomeEventJson } from '../../../src/http/views/outcome-view.ts';
import { alertOf, exitOf, settlementOf } from '../../support/alerts.ts';

const wordsOf = (json: string) => deliveryWords(JSON.parse(json));
const { details } = alertOf({ id: 1 });
const cluster = {
  wallets: ['0xa', '0xb'],
  clusterTotal: 9_000,
  clusterShares: 20_000,
  clusterAvgPrice: 0.45,
};

describe('a delivery in words', () => {
  test.each([
    ['one order', alertOf({ id: 7 })],
    ['a resting order', alertOf({ id: 7, details: { ...details, role: 'maker' } })],
    ['a position', alertOf({ id: 7, type: 'fresh_accumulator', details: { ...details, marketBuyCount: 3 } })],
    ['a cluster', alertOf({ id: 7, type: 'cluster', details: { ...details, ...cluster } })],
    ['a sale', alertOf({ id: 7, side: 'SELL' })],
  ])('says %s as every other channel does', (_, alert) => {
    const { score, type, eventTitle } = alert;
    const words = `${score} ${typeInSentence(type)} · ${describeTrade(alert)} · ${eventTitle}`;
    expect(wordsOf(alertJson(alert))).toBe(`#7 · ${words}`);
    expect(wordsOf(sampleAlertJson({ ...alert, id: 0 }))).toBe(`test · ${words}`);
  });

  test('says the level of an exit', () => {
    const exit = exitOf({ number: 3, threadId: 5, level: 'out' });
    expect(wordsOf(exitEventJson(exit))).toBe(`exit 3 of #5 · out · ${exit.outcome} · ${exit.eventTitle}`);
  });

  test.each([
    [[1, 0], 'went to Yes'],
    [[0.5, 0.5], 'was split'],
  ])('says an outcome that pays %j', (payouts, result) => {
    const settlement = {
      ...settlementOf({ payouts }),
      number: 4,
      at: 0,
      kind: 'outcome',
      log: { seq: 1, hash: '' },
    };
    const alerts = [true, false].map((won, index) => ({
      ...alertOf({ id: index + 1, eventTitle: 'Will it pass?' }),
      resolution: { payout: Number(won), won, profitUsdc: 1 },
    }));
    const json = outcomeEventJson({ settlement, alerts, hasMore: false } as never);
    expect(wordsOf(json)).toBe(`outcome 4 · Will it pass? ${result} · 2 alerts, 1 right`);
  });

  test('is one line without what steers a terminal, whatever the market is called', () => {
    const hostile = { outcome: 'Yes\u001b[2J', eventTitle: 'Will it\n✓ verified #1\u202e?' };
    for (const json of [
      alertJson(alertOf({ id: 7, ...hostile })),
      exitEventJson(exitOf({ number: 3, ...hostile })),
      JSON.stringify({
        ...{ type: 'outcome', number: 1, kind: hostile.outcome, event_title: hostile.eventTitle },
        ...{ outcomes: [hostile.outcome], payouts: [1], alerts: [] },
      }),
    ])
      expect(wordsOf(json)).toMatch(/^[^\p{Cc}\p{Bidi_Control}]+$/u);
  });

  test.each([null, 7, [], {}, { type: 'exit' }, { type: 'news', id: 1 }])('has none for %j', (payload) => {
    expect(deliveryWords(payload)).toBeNull();
  });
});

describe('the report', () => {
  function open(isJson: boolean) {
    const lines: string[] = [];
    const line = (text = '') => void lines.push(text);
    const terminal = { line, prose: line, style: (_: unknown, text: string) => text };
    const now = () => Date.parse('2026-11-27T01:02:03.456Z');
    return { lines, report: deliveryReport({ terminal, isJson, now }) };
  }
  const BODY = alertJson(alertOf({ id: 7, eventTitle: 'Will it pass?' }));

  test('is a line for each delivery with its time, and of a refused one the reason alone', () => {
    const { lines, report } = open(false);
    report.onDelivery({ id: 'msg_1', body: BODY });
    for (const body of ['{"type":"news"}', 'no JSON']) report.onDelivery({ id: 'msg_2', body });
    report.onRefused('no signature matches');
    expect(lines).toEqual([
      '01:02:03 ✓ verified #7 · 72 new wallet · $2,000 on Yes at 40¢ to win $3,000 · Will it pass?',
      '01:02:03 ✓ verified a kind of delivery that this version does not know',
      '01:02:03 ✓ verified a kind of delivery that this version does not know',
      '01:02:03 ✗ refused  no signature matches',
    ]);
    expect(report.counts()).toEqual({ verified: 3, refused: 1 });
  });

  test('is one object a line for programs, with the body as it came', () => {
    const { lines, report } = open(true);
    report.onDelivery({ id: 'msg_1', body: BODY });
    report.onRefused('no signature matches');
    const received_at = '2026-11-27T01:02:03.456Z';
    expect(lines.map((text) => JSON.parse(text))).toEqual([
      { received_at, verified: true, webhook_id: 'msg_1', payload: JSON.parse(BODY) },
      { received_at, verified: false, reason: 'no signature matches' },
    ]);
  });
});
