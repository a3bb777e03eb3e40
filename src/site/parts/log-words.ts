import type { z } from 'zod';
import type { Alert } from '../../core/alerts/alert.ts';
import { describeStake, paidWords } from '../../core/alerts/describe-alert.ts';
import type { exitBody } from '../../core/alerts/exits/exit-body.ts';
import { exitWords } from '../../core/alerts/exits/exit-words.ts';
import type { LossReason } from '../../core/alerts/ledger/log-drafts.ts';
import type { JsonObject, LogEntry, LogKind } from '../../core/alerts/log/log-entry.ts';
import { alertPath } from '../../core/alerts/site-paths.ts';
import { timeSpan } from '../../core/base/text/formats.ts';
import { SECOND_MS } from '../../core/base/time/duration.ts';
import { CAUSE_WORDS, type WindowCause } from '../../core/trades/coverage/blind-window.ts';
import type { alertSchema } from '../../http/views/alert-view.ts';
import { type Html, html } from '../html.ts';
import { marketLink } from './alert-row.ts';
import { type HiddenWallets, noteText, outcomeName, walletLink } from './labels.ts';

/** What entries do not say themselves. */
export interface LogContext {
  readonly hidden: HiddenWallets;
  /** An alert of each market that is named by its id, for the title. */
  readonly markets: ReadonlyMap<string, Alert>;
}

const KIND_WORDS: Readonly<Record<LogKind, string>> = {
  software: 'Software',
  rules: 'Rules',
  alert: 'Alert',
  outcome: 'Outcome',
  correction: 'Correction',
  exit: 'Exit',
  exit_correction: 'Exit withdrawn',
  positions_lost: 'Positions lost',
  withdrawal: 'Posts deleted',
  annotation: 'Statement',
  blind_opened: 'Blind',
  blind_closed: 'Sees again',
};

/** `Alert 12`, `Exit 3`, `Outcome`. */
export function kindWords({ kind, body }: Pick<LogEntry, 'kind' | 'body'>): string {
  if (kind === 'alert') return `${KIND_WORDS.alert} ${body['id']}`;
  return kind === 'exit' ? `${KIND_WORDS.exit} ${body['number']}` : KIND_WORDS[kind];
}

/** What an entry says, in one line. */
export function entryWords({ kind, body }: Pick<LogEntry, 'kind' | 'body'>, context: LogContext): Html {
  return WORDS[kind](body, context);
}

/** The market that an entry names by its id alone; null for others. */
export function marketIdOf({ kind, body }: Pick<LogEntry, 'kind' | 'body'>): string | null {
  return kind === 'outcome' || kind === 'correction' ? String(body['market_id']) : null;
}

const WORDS: Readonly<Record<LogKind, (body: JsonObject, context: LogContext) => Html>> = {
  software: ({ version }) => html`Version ${version} of the service started`,
  rules: ({ version }) => html`Rules of version ${version} are in force`,
  alert: alertWords,
  outcome: (body, context) => html`${paidOf(body)} · ${marketOf(body, context)}`,
  correction: (body, context) => html`Settled again: ${paidOf(body)} · ${marketOf(body, context)}`,
  exit: exitLine,
  exit_correction: exitLine,
  positions_lost: ({ reason }) =>
    html`The positions of earlier alerts are no longer followed: ${LOSS_WORDS[reason as LossReason]}`,
  withdrawal: ({ alert_id: id, reason }) =>
    html`The posts of <a href="${alertPath(Number(id))}">alert ${id}</a> were deleted${reason === null ? null : html`: “${noteText(String(reason))}”`}`,
  annotation: ({ action, wallet, reason }, { hidden }) =>
    html`${STATEMENTS[action as keyof typeof STATEMENTS]} ${walletLink(String(wallet), hidden)}: “${noteText(String(reason))}”`,
  blind_opened: ({ cause }) => html`The market is not seen. ${CAUSE_WORDS[cause as WindowCause]}`,
  blind_closed: ({ started_at: start, ended_at: end }) =>
    html`The market is seen again, after ${timeSpan(Date.parse(String(end)) - Date.parse(String(start)))}`,
};

const LOSS_WORDS: Readonly<Record<LossReason, string>> = {
  rules: 'other rules are in force',
  rows: 'trades are missing from the source',
};

const STATEMENTS = {
  annotate: 'The operator says about',
  hide: 'Posts and pages stop naming',
  unhide: 'Posts and pages name again',
} as const;

type AlertBody = Pick<
  z.infer<typeof alertSchema>,
  | ('id' | 'alert_type' | 'side' | 'outcome' | 'entry_price' | 'usdc_value')
  | ('event_title' | 'event_slug' | 'details')
>;

function alertWords(body: JsonObject): Html {
  const alert = body as unknown as AlertBody;
  const { details } = alert;
  const words = describeStake({
    type: alert.alert_type,
    side: alert.side,
    outcome: outcomeName(alert.outcome),
    entryPrice: alert.entry_price,
    usdc: alert.usdc_value,
    details: {
      marketBuyCount: details.market_buy_count,
      marketTotalBought: details.market_total_bought,
      marketAvgPrice: details.market_avg_price,
      positionShares: details.position_shares,
      toWinUsdc: details.to_win_usdc,
      role: details.role,
      ...(details.wallets && { wallets: details.wallets }),
      ...(details.cluster_total !== undefined && { clusterTotal: details.cluster_total }),
      ...(details.cluster_avg_price !== undefined && { clusterAvgPrice: details.cluster_avg_price }),
    },
  });
  const market = marketLink({ eventTitle: alert.event_title, eventSlug: alert.event_slug });
  return html`<a href="${alertPath(alert.id)}">${words}</a> · ${market}`;
}

type ExitBody = ReturnType<typeof exitBody>;

function exitLine(body: JsonObject): Html {
  const exit = body as unknown as ExitBody;
  const words = exitWords({
    kind: exit.kind,
    corrects: exit.corrects,
    heldShares: exit.held_shares,
    peakShares: exit.peak_shares,
    hedgedShares: exit.hedged_shares,
    salePrice: exit.sale_price,
    profitUsdc: exit.realized_profit,
    members: exit.members === null ? null : { total: exit.members, out: exit.members_out ?? 0 },
    alertedAt: 0,
    tradedAt: exit.seconds_since_alert * SECOND_MS,
  });
  const market = marketLink({ eventTitle: exit.event_title, eventSlug: exit.event_slug });
  return html`<a href="${alertPath(exit.thread_id)}">Alert ${exit.thread_id}</a>: ${words} · ${market}`;
}

function paidOf(body: JsonObject): string {
  const { outcomes, payouts } = body as { outcomes: readonly string[]; payouts: readonly number[] };
  const paid = paidWords({ outcomes, payouts }, (name) => (name === '' ? '' : outcomeName(name)));
  return payouts.includes(1) ? `${paid} won` : `Paid ${paid}`;
}

function marketOf(body: JsonObject, { markets }: LogContext): Html {
  const alert = markets.get(String(body['market_id']));
  return alert === undefined ? html`a market without a public alert` : marketLink(alert);
}
