import type { UpstreamApi, UpstreamRequest } from '../../../core/metrics/metrics.ts';

/** The routes that are asked for, as metrics name them. */
export const UPSTREAM_ROUTES: Readonly<Record<UpstreamApi, readonly string[]>> = {
  data: ['/v2/trades', '/v2/status', '/v2/user-stats', '/v2/activity', '/v2/resolutions'],
  gamma: ['/markets/keyset', '/markets', '/public-profile'],
};

/** A path that is not listed counts as `other`, so that the number of labels is bounded. */
export function upstreamRoute({
  api,
  path,
}: {
  readonly api: UpstreamApi;
  readonly path: string;
}): UpstreamRequest {
  return { api, route: UPSTREAM_ROUTES[api].includes(path) ? path : 'other' };
}
