import { Sender } from 'ws';
import type { z } from 'zod';
import type { Tier } from '../../core/accounts/tier.ts';
import type { Alert } from '../../core/alerts/alert.ts';
import type { Exit } from '../../core/alerts/exits/exit.ts';
import { inventedAlert } from '../../core/alerts/invented-alert.ts';
import type { LogHead } from '../../core/alerts/log/log-entry.ts';
import type { EventKind } from '../../core/alerts/numbered-events.ts';
import type { SettledAlerts } from '../../core/alerts/settlements/settlement-reader.ts';
import { dateTime } from '../../core/base/text/date-time.ts';
import type { EpochMs } from '../../core/base/time/duration.ts';
import type { Frame, StreamFrames } from '../../core/delivery/stream/stream-client.ts';
import { CAUSE_WORDS } from '../../core/trades/coverage/blind-window.ts';
import type { Degraded, Recovered } from '../../core/trades/coverage/coverage-watch.ts';
import { alertJson } from '../views/alert-view.ts';
import { factsDelayedView } from '../views/coverage-view.ts';
import { exitView } from '../views/exit-view.ts';
import { logHeadView } from '../views/log-view.ts';
import { outcomeView } from '../views/outcome-view.ts';
import type { FRAMES } from './frames.ts';

declare module 'ws' {
  /** Documented by ws (doc of `lib/sender.js`) and exported, but without types. */
  const Sender: { frame(data: Buffer, options: { fin: true; opcode: 1; mask: false }): Buffer[] };
}

const GREETING = 'Connected. Send the text ping every 20 to 25 seconds.';
const UNKNOWN = 'Unknown message. Send the text ping, every 20 to 25 seconds.';

/** The content of every frame but those of alerts and events, without the head of the log. */
type Message = WithoutHead<z.infer<(typeof FRAMES)[Exclude<keyof typeof FRAMES, 'alert' | EventKind>]>>;
type WithoutHead<OneOrMore> = OneOrMore extends unknown ? Omit<OneOrMore, 'log'> : never;

/** The frames of the stream. All but those of alerts and events carry the newest head of the log; shared frames are made once per head. */
export class JsonFrames implements StreamFrames {
  readonly #heads: { readonly newest: LogHead };
  readonly #made = new Map<string | Degraded | Recovered, Frame>();
  #head: LogHead;

  constructor(heads: { readonly newest: LogHead }) {
    this.#heads = heads;
    this.#head = heads.newest;
  }

  get pong(): Frame {
    return this.#once('pong', () => ({ type: 'pong' }));
  }

  get unknownMessage(): Frame {
    return this.#once('error', () => ({ type: 'error', message: UNKNOWN }));
  }

  connected(tier: Tier): Frame {
    return this.#frame({ type: 'connected', message: GREETING, tier });
  }

  gap(from: number, to: number): Frame {
    return this.#frame({ type: 'gap', from, to });
  }

  alert(alert: Alert): Frame {
    return textFrame(`{"type":"alert","data":${alertJson(alert)}}`);
  }

  sample(now: EpochMs): Frame {
    return textFrame(`{"type":"alert","test":true,"data":${alertJson(inventedAlert(now))}}`);
  }

  outcome(settled: SettledAlerts): Frame {
    return textFrame(JSON.stringify({ type: 'outcome', data: outcomeView(settled) }));
  }

  exit(exit: Exit): Frame {
    return textFrame(JSON.stringify({ type: 'exit', data: exitView(exit) }));
  }

  degraded(state: Degraded): Frame {
    return this.#once(state, () => ({
      type: 'degraded',
      since: new Date(state.since).toISOString(),
      cause: state.cause,
      reason: state.reason ?? null,
      message: `${degradedText(state)} Alerts may come late.`,
      facts_delayed: factsDelayedView(state.factsDelayed ?? null),
    }));
  }

  recovered(state: Recovered): Frame {
    return this.#once(state, () => ({
      type: 'recovered',
      since: new Date(state.since).toISOString(),
      until: new Date(state.until).toISOString(),
      backfilled: state.backfilled,
    }));
  }

  #once(statement: string | Degraded | Recovered, content: () => Message): Frame {
    const { newest } = this.#heads;
    if (newest !== this.#head) this.#made.clear();
    this.#head = newest;
    const frame = this.#made.get(statement) ?? this.#frame(content());
    this.#made.set(statement, frame);
    return frame;
  }

  #frame(content: Message): Frame {
    return textFrame(JSON.stringify({ ...content, log: logHeadView(this.#heads.newest) }));
  }
}

function degradedText({ cause, since, reason }: Degraded): string {
  const what =
    cause === 'unconfirmed'
      ? 'It has not been confirmed that all trades of the market were seen'
      : 'The market has not been seen';
  const text = `${what} since ${dateTime(since)} UTC.`;
  return reason == null ? text : `${text} ${CAUSE_WORDS[reason]}`;
}

/** One text message as `ws` would frame it for each socket. */
function textFrame(text: string): Frame {
  return Buffer.concat(Sender.frame(Buffer.from(text), { fin: true, opcode: 1, mask: false }));
}
