import type {
  ObservedHour,
  ObservedMarket,
} from '../../../src/core/record/observations/observation-store.ts';

export const HOUR_MS = 3_600_000;
export const FIRST_HOUR = Date.UTC(2026, 10, 3);

export function marketOf(given: Partial<ObservedMarket> & { marketId: string }): ObservedMarket {
  return {
    baseAsset: '71321045679252212594626385532706912750332728571942532289631379312455583992563',
    baseOutcome: 'Yes',
    baseOutcomeIndex: 0,
    otherAsset: null,
    question: 'Will “é” win? 😀',
    slug: 'will-e-win',
    eventSlug: null,
    eventTitle: null,
    category: 'politics',
    alerts: [{ key: 'k1', tradedAt: FIRST_HOUR, detectedAt: FIRST_HOUR + 1 }],
    spans: [{ from: FIRST_HOUR - 24 * HOUR_MS, until: FIRST_HOUR + 48 * HOUR_MS }],
    settledAt: null,
    isOpen: true,
    ...given,
  };
}

export function hourOf(marketId: string, index: number, text = `{"orders":[[${index},0.5]]}`): ObservedHour {
  return { marketId, hour: FIRST_HOUR + index * HOUR_MS, text };
}
