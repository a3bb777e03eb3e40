import { SECOND_MS } from '../../../../core/duration.ts';
import { TradeStream } from '../../trades/trade-stream.ts';
import { firstSign } from '../first-sign.ts';
import { noLogger } from '../no-logger.ts';
import { found, type Probe, secondsText } from '../probe.ts';

const LIMIT_MS = 10 * SECOND_MS;
const metrics = { upstreamStream() {} };

/** The live stream shows trades. */
export const tradeStreamProbe: Probe = {
  name: 'trade_stream',
  action:
    'The live stream (RTDS) shows no trades: alerts are seconds later, and none is lost. Check POLYMARKET_STREAM_URL, and that the network allows WebSockets.',
  needs: [],
  async find({ clock, streamUrl: url, random }, signal) {
    const tookMs = await firstSign({ clock, limitMs: LIMIT_MS, signal }, (onTrade, life) =>
      new TradeStream({ url, clock, random, logger: noLogger, metrics, onTrade }).run(life),
    );
    if (tookMs === null) return found('fail', `no trade within ${secondsText(LIMIT_MS)}`);
    return found('pass', `a trade after ${secondsText(tookMs)}`);
  },
};
