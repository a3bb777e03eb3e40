import type { Alert } from '../../src/core/alerts/alert.ts';
import { alertOf } from '../support/alerts.ts';
import { startApi } from '../support/api-server.ts';

export const CREATED = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
export const RESOLVED = { payout: 1, won: true, profitUsdc: 3_000.5 };
export const cluster: Alert = alertOf({
  id: 1,
  type: 'cluster',
  createdAt: CREATED,
  tradedAt: CREATED - 3_000,
  detectedAt: CREATED - 2_000,
  publishedAt: CREATED - 1_000,
  resolution: RESOLVED,
  details: {
    ...alertOf({ id: 1 }).details,
    positionShares: 5_000.5,
    toWinUsdc: 3_000,
    role: 'maker',
    wallets: ['0xaa', '0xbb', '0xcc'],
    clusterTotal: 6_000.25,
    clusterShares: 14_553.480475,
    clusterAvgPrice: 0.4123,
  },
});

export async function startWith(...alerts: readonly Alert[]) {
  const api = await startApi();
  await api.append(...alerts);
  await api.clock.advance(86_400_000);
  const { secret } = await api.issue({ tier: 'enterprise' });
  return { ...api, ask: (path: string) => api.get(path, secret) };
}
