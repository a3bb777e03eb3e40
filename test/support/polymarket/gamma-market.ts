export const idEnding = (hex: string) => `0x${hex.padStart(64, '0')}`;

export function gammaMarket(given: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    conditionId: idEnding('a1'),
    question: 'Will it?',
    slug: 'will-it',
    outcomes: '["Yes", "No"]',
    clobTokenIds: '["11", "12"]',
    outcomePrices: '["0.4", "0.6"]',
    endDate: '2026-12-01T00:00:00Z',
    closed: false,
    volume24hr: 1000,
    tags: [{ id: '2', label: 'Politics', slug: 'politics' }],
    events: [{ slug: 'event', title: 'Event' }],
    ...given,
  };
}
