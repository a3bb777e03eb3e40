import type { BlindWindow } from '../core/feed-health/blind-window.ts';
import type { FeedView } from '../core/feed-health/feed-health-report.ts';
import type { EpochMs } from '../core/trade.ts';

/** How the live feed stands, as `/readyz` shows it; it decides nothing: a blind or unconfirmed feed is named, and the archive is served. */
export interface FeedCheck {
  readonly ready: true;
  readonly state: FeedView['state'];
  readonly blind_since?: string;
  readonly unconfirmed_since?: string;
  readonly cause?: string;
  readonly confirmed_until?: string;
  readonly age_seconds?: number;
}

/** `view` is null while the state is unknown. */
export function feedCheck(view: FeedView | null, now: EpochMs): FeedCheck {
  if (view === null) return { ready: true, state: 'unknown' };
  const { state, blind, confirmedUntil } = view;
  return {
    ready: true,
    state,
    ...(blind !== null && sinceWhen(blind)),
    ...(confirmedUntil !== null && {
      confirmed_until: new Date(confirmedUntil).toISOString(),
      age_seconds: Math.max(0, Math.floor((now - confirmedUntil) / 1_000)),
    }),
  };
}

function sinceWhen({ startedAt, cause }: BlindWindow): Partial<FeedCheck> {
  const since = new Date(startedAt).toISOString();
  return cause === 'unconfirmed' ? { unconfirmed_since: since } : { blind_since: since, cause };
}
