import { z } from 'zod';
import { WINDOW_CAUSES } from '../../core/feed-health/blind-window.ts';
import { TIERS } from '../../core/tier.ts';
import { ALERT_EXAMPLE, HEAD_EXAMPLE } from '../documents/examples.ts';
import { alertSchema } from '../views/alert-view.ts';
import { CAUSES_IN_WORDS } from '../views/coverage-view.ts';
import { logHeadSchema } from '../views/log-view.ts';

/** In every frame except `alert`, whose entry is in its `data`. */
const log = logHeadSchema.describe('The newest entry of the log when the frame was sent.');

/** The frames of the server. Each is a text message with one JSON object. */
export const connectedFrameSchema = z
  .object({
    type: z.literal('connected'),
    message: z.string().describe('What to do next, in words, and the unknown query parameters.'),
    tier: z.enum(TIERS).describe('Tier of the key at this moment.'),
    log,
  })
  .meta({
    id: 'ConnectedFrame',
    description: 'The first frame, sent once.',
    examples: [
      {
        type: 'connected',
        message: 'Connected. Send the text ping every 20 to 25 seconds.',
        tier: 'pro',
        log: HEAD_EXAMPLE,
      },
    ],
  });

export const alertFrameSchema = z.object({ type: z.literal('alert'), data: alertSchema }).meta({
  id: 'AlertFrame',
  description:
    'One alert. Its outcome is not updated on the stream; an alert that was missed may have it. `GET /alerts/{id}` has the current one.',
  examples: [{ type: 'alert', data: ALERT_EXAMPLE }],
});

export const pongFrameSchema = z.object({ type: z.literal('pong'), log }).meta({
  id: 'PongFrame',
  description: 'The answer to a `ping`.',
  examples: [{ type: 'pong', log: HEAD_EXAMPLE }],
});

export const gapFrameSchema = z
  .object({
    type: z.literal('gap'),
    from: z.number().int().min(1).describe('The first omitted id.'),
    to: z.number().int().min(1).describe('The last omitted id.'),
    log,
  })
  .meta({
    id: 'GapFrame',
    description:
      'Sent after `connected` if more than 10,000 alerts were missed: those before the newest 10,000 are omitted. `GET /alerts` has them.',
    examples: [{ type: 'gap', from: 101, to: 2_400, log: HEAD_EXAMPLE }],
  });

export const errorFrameSchema = z
  .object({ type: z.literal('error'), message: z.string().describe('The expected message, in words.'), log })
  .meta({
    id: 'ErrorFrame',
    description: 'The answer to an unknown message. The socket stays open.',
    examples: [
      {
        type: 'error',
        message: 'Unknown message. Send the text ping, every 20 to 25 seconds.',
        log: HEAD_EXAMPLE,
      },
    ],
  });

const moment = (description: string) => z.string().meta({ description, format: 'date-time' });

export const degradedFrameSchema = z
  .object({
    type: z.literal('degraded'),
    since: moment('The time up to which all trades are known.'),
    cause: z.enum(WINDOW_CAUSES).describe(CAUSES_IN_WORDS),
    message: z.string().describe('Explanation in words.'),
    log,
  })
  .meta({
    id: 'DegradedFrame',
    description:
      'For a minute or longer the market has been unavailable, or its trades unconfirmed: alerts may be late. Sent once for each cause; a client that connects meanwhile gets it after its missed alerts.',
    examples: [
      {
        type: 'degraded',
        since: '2026-03-14T09:26:53.000Z',
        cause: 'unreachable',
        message: 'The market has not been seen since 2026-03-14 09:26:53 UTC. Alerts may come late.',
        log: HEAD_EXAMPLE,
      },
    ],
  });

export const recoveredFrameSchema = z
  .object({
    type: z.literal('recovered'),
    since: moment('The `since` of the frame `degraded`.'),
    until: moment('When the market was available again.'),
    backfilled: z
      .boolean()
      .describe('Whether the missed trades have been read. `GET /coverage` shows when they are read later.'),
    log,
  })
  .meta({
    id: 'RecoveredFrame',
    description: 'The end of `degraded`. Sent to the clients that were sent `degraded`.',
    examples: [
      {
        type: 'recovered',
        since: '2026-03-14T09:26:53.000Z',
        until: '2026-03-14T09:31:20.000Z',
        backfilled: true,
        log: HEAD_EXAMPLE,
      },
    ],
  });
