import type { Alert } from '../../src/core/alerts/alert.ts';
import type { Exit } from '../../src/core/alerts/exits/exit.ts';
import { exitDraft } from '../../src/core/alerts/ledger/log-drafts.ts';
import {
  EMPTY_LOG,
  type JsonObject,
  type LogDraft,
  type LogEntry,
  type LogHead,
} from '../../src/core/alerts/log/log-entry.ts';
import { sealEntry } from '../../src/core/alerts/log/seal.ts';
import { resolutionOf, type Settlement } from '../../src/core/alerts/settlement.ts';
import { alertView } from '../../src/http/views/alert-view.ts';
import { sha256 } from '../../src/infra/secrets/key-crypto.ts';
import { alertOf } from './alerts.ts';
import { START } from './rows.ts';

/** What a service publishes, in its order: alerts, exits, and settlements of their markets. */
export type Event =
  | { readonly kind: 'alert'; readonly alert: Alert }
  | { readonly kind: 'exit' | 'exit_correction'; readonly exit: Exit }
  | ({ readonly kind: 'outcome' | 'correction'; readonly marketId: string } & Settlement)
  | { readonly kind: 'rules'; readonly version: string; readonly sha256: string };

export interface LogFixture {
  readonly entries: readonly LogEntry[];
  readonly answers: ReadonlyMap<number, JsonObject>;
}

const MINUTE = 60_000;

export function fixtureAlert(id: number, marketId: string, given: Partial<Alert> = {}): Event {
  const alert = alertOf({ id, marketId, ...given });
  const { shares, usdc } = alert;
  const details = { ...alert.details, positionShares: shares, toWinUsdc: shares - usdc };
  return { kind: 'alert', alert: { ...alert, details } };
}

export function outcome(kind: 'outcome' | 'correction', marketId: string, payouts: readonly number[]): Event {
  return { kind, marketId, outcomes: ['Yes', 'No'], payouts };
}

/** Three markets: the first is settled and corrected, the second settled, the third open. */
export const EVENTS: readonly Event[] = [
  { kind: 'rules', version: '4', sha256: 'a'.repeat(64) },
  fixtureAlert(1, '0xm1'),
  fixtureAlert(2, '0xm1', { side: 'SELL', usdc: 1_000, shares: 2_500 }),
  fixtureAlert(3, '0xm2', { entryPrice: 0.123456, usdc: 1_234.56, shares: 10_000 }),
  outcome('outcome', '0xm1', [0, 1]),
  fixtureAlert(4, '0xm3'),
  outcome('correction', '0xm1', [1, 0]),
  fixtureAlert(5, '0xm2', { outcome: 'No', outcomeIndex: 1 }),
  outcome('outcome', '0xm2', [0.5, 0.5]),
  fixtureAlert(6, '0xm3'),
];

/** Seals the events as a service does that has never published anything else: an operator can do it again at any time. */
export function logFixtureOf(events: readonly Event[], start = START): LogFixture {
  const entries: LogEntry[] = [];
  let head: LogHead = EMPTY_LOG;
  for (const [index, event] of events.entries()) {
    const entry = sealEntry(draftOf(event, start + index * MINUTE), head, sha256);
    entries.push(entry);
    head = entry;
  }
  const settled = new Map(
    events.flatMap((event) => ('marketId' in event ? [[event.marketId, event] as const] : [])),
  );
  const answers = events.flatMap((event, index) => {
    if (event.kind !== 'alert') return [];
    const settlement = settled.get(event.alert.marketId);
    const resolution = settlement === undefined ? null : resolutionOf(event.alert, settlement);
    const { sequence, hash } = entries[index] as LogEntry;
    const view = alertView({ ...event.alert, resolution, log: { sequence, hash } });
    return [[event.alert.id, { ...view, log: { sequence, hash } } as unknown as JsonObject] as const];
  });
  return { entries, answers: new Map(answers) };
}

function draftOf(event: Event, at: number): LogDraft {
  if (event.kind === 'alert')
    return { kind: 'alert', subject: `alert:${event.alert.id}`, at, body: alertBodyOf(event.alert) };
  if ('exit' in event) return { ...exitDraft(event.exit), kind: event.kind, at };
  if (event.kind === 'rules')
    return { kind: 'rules', subject: 'rules', at, body: { version: event.version, sha256: event.sha256 } };
  const { kind, marketId, outcomes, payouts } = event;
  return { kind, subject: `market:${marketId}`, at, body: { market_id: marketId, outcomes, payouts } };
}

function alertBodyOf(alert: Alert): JsonObject {
  const { resolved, won, profit_usdc, details, ...body } = alertView(alert);
  const { log, ...rest } = body as typeof body & { log?: unknown };
  const { position_profit_usdc, bet, ...kept } = details;
  return { ...rest, details: kept } as unknown as JsonObject;
}
