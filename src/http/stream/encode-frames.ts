import type { z } from 'zod';
import type { WindowCause } from '../../core/coverage/blind-window.ts';
import type { Frame, StreamFrames } from '../../core/stream/stream-socket.ts';
import { alertJson } from '../alert-view.ts';
import { dateTime } from '../date-time.ts';
import type {
  connectedFrameSchema,
  degradedFrameSchema,
  errorFrameSchema,
  gapFrameSchema,
  pongFrameSchema,
  recoveredFrameSchema,
} from './frames.ts';

const GREETING = 'Connected. Send the text ping every 20 to 25 seconds.';
const UNKNOWN = 'Unknown message. Send the text ping, every 20 to 25 seconds.';
const WHOLE_TEXT = 0x81;
const SHORT = 125;
const MIDDLE = 0xff_ff;

type Message =
  | z.infer<typeof connectedFrameSchema>
  | z.infer<typeof pongFrameSchema>
  | z.infer<typeof gapFrameSchema>
  | z.infer<typeof errorFrameSchema>
  | z.infer<typeof degradedFrameSchema>
  | z.infer<typeof recoveredFrameSchema>;

export const STREAM_FRAMES: StreamFrames = {
  pong: message({ type: 'pong' }),
  unknownMessage: message({ type: 'error', message: UNKNOWN }),
  connected: (tier, ignored) =>
    message({
      type: 'connected',
      message: ignored === null ? GREETING : `${GREETING} Ignored, as nobody knows it: ${ignored}.`,
      tier,
    }),
  gap: (from, to) => message({ type: 'gap', from, to }),
  // The shape of `alertFrameSchema`, around a text that is made once.
  alert: (alert) => textFrame(`{"type":"alert","data":${alertJson(alert)}}`),
  degraded: ({ since, cause }) =>
    message({
      type: 'degraded',
      since: new Date(since).toISOString(),
      cause,
      message: `${degradedText(cause)} since ${dateTime(since)} UTC. Alerts may come late.`,
    }),
  recovered: ({ since, until, backfilled }) =>
    message({
      type: 'recovered',
      since: new Date(since).toISOString(),
      until: new Date(until).toISOString(),
      backfilled,
    }),
};

function degradedText(cause: WindowCause): string {
  return cause === 'unconfirmed'
    ? 'The trades of the market are shown without confirmation that they are all'
    : 'The market has not been seen';
}

function message(content: Message): Frame {
  return textFrame(JSON.stringify(content));
}

/** One text message as the server sends it: header and payload in one piece, without a mask (RFC 6455, section 5.2). */
export function textFrame(text: string): Frame {
  const length = Buffer.byteLength(text);
  const header = length <= SHORT ? 2 : length <= MIDDLE ? 4 : 10;
  // Of its own memory: a piece of a pool would keep the whole pool.
  const frame = Buffer.allocUnsafeSlow(header + length);
  frame[0] = WHOLE_TEXT;
  if (length <= SHORT) frame[1] = length;
  else if (length <= MIDDLE) {
    frame[1] = 126;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = 127;
    frame.writeBigUInt64BE(BigInt(length), 2);
  }
  frame.write(text, header);
  return frame;
}
