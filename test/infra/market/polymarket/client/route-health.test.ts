import { expect, test } from 'vitest';
import { UpstreamFault } from '../../../../../src/infra/market/polymarket/client/market-client.ts';
import { blindCauseOf } from '../../../../../src/infra/market/polymarket/client/route-health.ts';

test.each([
  ['refused', 403, '', 'refused'],
  ['refused', 451, '', 'refused'],
  ['refused', 404, '', 'not_found'],
  ['limited', 429, '', 'rate_limited'],
  ['refused', 503, '', 'failing'],
  ['garbled', 200, '', 'failing'],
  ['timeout', null, '', 'unreachable'],
  ['unreachable', null, 'ECONNRESET', 'unreachable'],
  ['unreachable', null, 'ENOTFOUND', 'dns'],
  ['unreachable', null, 'EAI_AGAIN', 'dns'],
  ['unreachable', null, 'ERR_SSL_PACKET_LENGTH_TOO_LONG', 'tls'],
  ['unreachable', null, 'DEPTH_ZERO_SELF_SIGNED_CERT', 'tls'],
] as const)(
  'a request that was %s with status %s and code "%s" makes the feed blind by the cause %s',
  (outcome, status, code, cause) => {
    expect(blindCauseOf(new UpstreamFault('no answer', { outcome, status, code }))).toBe(cause);
  },
);
