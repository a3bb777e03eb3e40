import { z } from 'zod';
import { typeInSentence } from '../../core/alerts/alert-names.ts';
import { describeTrade } from '../../core/alerts/describe-alert.ts';
import { counted, oneLine } from '../../core/base/text/formats.ts';
import { ALERT_TYPES } from '../../core/detection/candidate.ts';
import { SIDES, TRADE_ROLES } from '../../core/trades/trade.ts';
import type { Terminal } from '../terminal.ts';
import { jsonOf } from './local-service.ts';
import type { ReceiverOptions } from './receiver.ts';

interface ReportOptions {
  readonly terminal: Pick<Terminal, 'line' | 'prose' | 'style'>;
  readonly isJson: boolean;
  readonly now?: () => number;
}

/** Prints what a receiver gets, and counts it. */
export function deliveryReport({ terminal, isJson, now = Date.now }: ReportOptions): ReportedDeliveries {
  const counts = { verified: 0, refused: 0 };
  const time = () => new Date(now()).toISOString();
  return {
    counts: () => counts,
    onDelivery({ id, body }) {
      counts.verified += 1;
      const payload = jsonOf(body);
      if (isJson)
        return terminal.line(
          JSON.stringify({ received_at: time(), verified: true, webhook_id: id, payload }),
        );
      const words = deliveryWords(payload) ?? 'a kind of delivery that this version does not know';
      terminal.prose(`${time().slice(11, 19)} ${terminal.style('green', '✓ verified')} ${words}`, HANG);
    },
    onRefused(reason) {
      counts.refused += 1;
      if (isJson) return terminal.line(JSON.stringify({ received_at: time(), verified: false, reason }));
      terminal.prose(`${time().slice(11, 19)} ${terminal.style('red', '✗ refused')}  ${reason}`, HANG);
    },
  };
}

interface ReportedDeliveries extends Pick<ReceiverOptions, 'onDelivery' | 'onRefused'> {
  counts(): { readonly verified: number; readonly refused: number };
}

/** Below the words, after the time and the mark. */
const HANG = 20;

const alert = z
  .object({
    id: z.number(),
    test: z.boolean().default(false),
    event_title: z.string(),
    signal_score: z.number(),
    alert_type: z.enum(ALERT_TYPES),
    side: z.enum(SIDES),
    outcome: z.string(),
    entry_price: z.number(),
    usdc_value: z.number(),
    details: z.object({
      market_buy_count: z.number(),
      market_total_bought: z.number(),
      market_avg_price: z.number(),
      position_shares: z.number(),
      to_win_usdc: z.number(),
      role: z.enum(TRADE_ROLES).nullish(),
      wallets: z.array(z.string()).default([]),
      cluster_total: z.number().default(0),
      cluster_avg_price: z.number().default(0),
    }),
  })
  .transform(({ id, test, event_title: title, signal_score: score, alert_type: type, details, ...rest }) => {
    const trade = describeTrade({
      type,
      side: rest.side,
      outcome: rest.outcome,
      entryPrice: rest.entry_price,
      usdc: rest.usdc_value,
      details: {
        marketBuyCount: details.market_buy_count,
        marketTotalBought: details.market_total_bought,
        marketAvgPrice: details.market_avg_price,
        positionShares: details.position_shares,
        toWinUsdc: details.to_win_usdc,
        role: details.role ?? null,
        wallets: details.wallets,
        clusterTotal: details.cluster_total,
        clusterAvgPrice: details.cluster_avg_price,
      },
    });
    return `${test ? 'test' : `#${id}`} · ${score} ${typeInSentence(type)} · ${trade} · ${oneLine(title)}`;
  });

const outcome = z
  .object({
    type: z.literal('outcome'),
    number: z.number(),
    kind: z.string(),
    event_title: z.string().nullable(),
    outcomes: z.array(z.string()),
    payouts: z.array(z.number()),
    alerts: z.array(z.object({ won: z.boolean().nullable() })),
  })
  .transform(({ number, kind, event_title: title, outcomes, payouts, alerts }) => {
    const winner = outcomes[payouts.indexOf(1)];
    const result = winner === undefined ? 'was split' : `went to ${oneLine(winner)}`;
    const right = alerts.filter(({ won }) => won).length;
    return `${oneLine(kind)} ${number} · ${oneLine(title ?? 'a market')} ${result} · ${counted(alerts.length, 'alert')}, ${right} right`;
  });

const exit = z
  .object({
    type: z.literal('exit'),
    number: z.number(),
    level: z.string(),
    thread_id: z.number(),
    event_title: z.string(),
    outcome: z.string(),
  })
  .transform(
    ({ number, level, outcome, thread_id: thread, event_title: title }) =>
      `exit ${number} of #${thread} · ${oneLine(level)} · ${oneLine(outcome)} · ${oneLine(title)}`,
  );

const delivery = z.union([outcome, exit, alert]);

/** What a delivery says, as one line that cannot steer a terminal; null if it is none of the three kinds. */
export function deliveryWords(payload: unknown): string | null {
  return delivery.safeParse(payload).data ?? null;
}
