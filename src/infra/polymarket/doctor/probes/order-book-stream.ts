import { SECOND_MS } from '../../../../core/duration.ts';
import { subscriptionTo } from '../../resolutions/resolution-stream.ts';
import { UpstreamConnection } from '../../streams/upstream-connection.ts';
import { firstSign } from '../first-sign.ts';
import { sampleOf } from '../head-page.ts';
import { found, type Probe, secondsText } from '../probe.ts';

const LIMIT_MS = 10 * SECOND_MS;
const PING_MS = 2 * SECOND_MS;
/** The first frame contains the order books of every asset. */
const MAX_PAYLOAD = 8_000_000;

/** The order book stream answers a subscription or a PING. */
export const orderBookStreamProbe: Probe = {
  name: 'order_book_stream',
  action:
    'The order book stream (CLOB) is silent: resolutions are known minutes later, and none is lost. Check POLYMARKET_CLOB_URL.',
  needs: ['/v2/trades'],
  async find({ clock, clobUrl, head }, signal) {
    const { tokens } = sampleOf(head);
    let end = 'no answer';
    const tookMs = await firstSign({ clock, limitMs: LIMIT_MS, signal }, async (onSign, life) => {
      const connection = new UpstreamConnection(
        {
          clock,
          url: `${clobUrl}/ws/market`,
          maxPayload: MAX_PAYLOAD,
          pingMs: PING_MS,
          silenceMs: LIMIT_MS,
          subscription: () => subscriptionTo(tokens),
          onFrame: () => true,
        },
        { onOpen() {}, onEnd: ({ why }) => (end = why) },
        life,
      );
      if (await connection.proven) onSign();
      connection.close();
    });
    if (tookMs === null) return found('fail', `${end} within ${secondsText(LIMIT_MS)}`);
    return found('pass', `answered after ${secondsText(tookMs)}`);
  },
};
