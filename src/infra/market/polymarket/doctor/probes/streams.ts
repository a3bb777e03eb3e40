import { withDeadline } from '../../../../../core/base/async/with-timeout.ts';
import type { Logger } from '../../../../../core/base/logger.ts';
import type { Clock } from '../../../../../core/base/time/clock.ts';
import { SECOND_MS } from '../../../../../core/base/time/duration.ts';
import { noLogger } from '../../../../telemetry/no-logger.ts';
import { subscriptionTo } from '../../resolutions/resolution-stream.ts';
import { refusalIn } from '../../streams/refusal.ts';
import { UpstreamSocket } from '../../streams/upstream-socket.ts';
import { TradeStream } from '../../trades/trade-stream.ts';
import { found, type Probe, sampleOf, secondsText } from '../probe.ts';
import { faultText } from '../routes.ts';

const LIMIT_MS = 10 * SECOND_MS;
const PING_MS = 2 * SECOND_MS;
/** The first frame contains the order books of every asset. */
const MAX_PAYLOAD = 8_000_000;
const metrics = { upstreamStream() {} };

export const tradeStreamProbe: Probe = {
  name: 'trade_stream',
  action:
    'The live stream (RTDS) shows no trades. No alert is late or lost: the list is read every second instead. A refusal in the market’s words: update Tipoff. Otherwise check POLYMARKET_STREAM_URL, and that the network allows WebSockets.',
  needs: [],
  async find({ clock, streamUrl: url, proxies, random }, signal) {
    const said: string[] = [];
    const logger = noting(said);
    const tookMs = await firstSign(clock, signal, (onTrade, life) =>
      new TradeStream({ url, proxies, clock, random, logger, metrics, onTrade }).run(life),
    );
    const words = said.map((text) => `; ${text}`).join('');
    if (tookMs === null) return found('fail', `no trade within ${secondsText(LIMIT_MS)}${words}`);
    return found('pass', `a trade after ${secondsText(tookMs)}${words}`);
  },
};

export const orderBookStreamProbe: Probe = {
  name: 'order_book_stream',
  action:
    'The order book stream (CLOB) is silent or refuses: resolutions are known minutes later, but none is lost. Check POLYMARKET_CLOB_URL. A refusal in the market’s words: update Tipoff.',
  needs: ['/v2/trades'],
  async find({ clock, clobUrl, proxies, head, random }, signal) {
    const { tokens } = sampleOf(head);
    const said: string[] = [];
    const logger = noting(said);
    const tookMs = await firstSign(clock, signal, (onSign, life) =>
      new UpstreamSocket({
        name: 'resolutions',
        url: `${clobUrl}/ws/market`,
        proxies,
        clock,
        random,
        logger,
        metrics,
        maxPayload: MAX_PAYLOAD,
        pingMs: PING_MS,
        silenceMs: LIMIT_MS,
        subscriptions: () => [subscriptionTo(tokens)],
        onFrame(text) {
          const words = refusalIn(text);
          if (words !== null) said.push(words);
          if (said.length === 0) onSign();
          return true;
        },
      }).run(life),
    );
    const [end = 'no answer'] = said;
    if (tookMs === null) return found('fail', `${end} within ${secondsText(LIMIT_MS)}`);
    return found('pass', `answered after ${secondsText(tookMs)}`);
  },
};

/** Collects what the market said in refusing, and why a connection ended, each once. */
function noting(said: string[]): Logger {
  return {
    ...noLogger,
    warn(fields) {
      const { words, why } = fields as { readonly words?: string; readonly why?: string };
      const text = words === undefined ? faultText(new Error(why)) : `refused: ${words}`;
      if (!said.includes(text)) said.push(text);
    },
  };
}

/** Runs `listen` until `onSign` or for 10 s. Milliseconds until the sign; null without one. */
async function firstSign(
  clock: Clock,
  signal: AbortSignal,
  listen: (onSign: () => void, signal: AbortSignal) => Promise<unknown>,
): Promise<number | null> {
  const startedAt = clock.now();
  const heard = new AbortController();
  let tookMs: number | null = null;
  const onSign = () => {
    tookMs ??= clock.now() - startedAt;
    heard.abort();
  };
  await withDeadline({ clock, deadlineMs: LIMIT_MS, signal }, (within) =>
    listen(onSign, AbortSignal.any([within, heard.signal])),
  );
  signal.throwIfAborted();
  return tookMs;
}
