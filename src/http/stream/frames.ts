import { z } from 'zod';
import { conditionShape } from '../query/alert-query.ts';
import { queryBoolean, queryInteger } from '../query/query-values.ts';
import { blindWindowCause, tier } from '../schemas/enumerations.ts';
import { component, flag, moment, orNull, parameter, text } from '../schemas/fields.ts';
import { alertSchema } from '../views/alert-view.ts';
import { CAUSES_IN_WORDS, factsDelayedSchema, reasonSchema } from '../views/coverage-view.ts';
import { ALERT_EXAMPLE, EXIT_EXAMPLE, HEAD_EXAMPLE, OUTCOME_EXAMPLE } from '../views/examples.ts';
import { exitSchema } from '../views/exit-view.ts';
import { logHeadSchema } from '../views/log-view.ts';
import { outcomeSchema } from '../views/outcome-view.ts';

/** In every frame except `alert`, `outcome` and `exit`, whose entry is in their `data`. */
const log = logHeadSchema.describe('The newest entry of the log when the frame was sent.');

function frame<Type extends string, Fields extends z.ZodRawShape>(
  type: Type,
  description: string,
  example: object,
  fields: Fields,
) {
  const id = `${type.charAt(0).toUpperCase()}${type.slice(1)}Frame`;
  return component(id, description, { type, ...example }, { type: z.literal(type), ...fields });
}

function headedFrame<Type extends string, Fields extends z.ZodRawShape>(
  type: Type,
  description: string,
  example: object,
  fields: Fields,
) {
  return frame(type, description, { ...example, log: HEAD_EXAMPLE }, { ...fields, log });
}

export const FRAMES = {
  connected: headedFrame(
    'connected',
    'The first frame, sent once.',
    { message: 'Connected. Send the text ping every 20 to 25 seconds.', tier: 'pro' },
    {
      message: text('What to do next, in words, and the unknown query parameters.'),
      tier: tier.describe('Current tier of the key.'),
    },
  ),
  alert: frame(
    'alert',
    'One alert. Its outcome is not updated on the stream; a missed alert may already have one. `outcomes=true` sends outcomes, and `GET /alerts/{id}` returns the current one.',
    { data: ALERT_EXAMPLE },
    {
      test: z
        .literal(true)
        .optional()
        .describe(
          'Present only in the invented alert of `test=1`, whose `id` is 0 and which no answer contains.',
        ),
      data: alertSchema,
    },
  ),
  outcome: frame(
    'outcome',
    'An outcome or a correction, sent with `outcomes=true` if at least one alert of the market passes the filter. Numbers ascend, with gaps where none does. After a reconnect, `GET /outcomes` returns the missed ones.',
    { data: OUTCOME_EXAMPLE },
    { data: outcomeSchema },
  ),
  exit: frame(
    'exit',
    'An exit, sent with `exits=true` if the newest alert of its thread passes the filter. Numbers ascend, with gaps where it does not. After a reconnect, `GET /exits` returns the missed ones.',
    { data: EXIT_EXAMPLE },
    { data: exitSchema },
  ),
  pong: headedFrame('pong', 'The answer to a `ping`.', {}, {}),
  gap: headedFrame(
    'gap',
    'Sent after `connected` if more than 10,000 alerts were missed: those before the newest 10,000 are omitted. `GET /alerts` returns them.',
    { from: 101, to: 2_400 },
    {
      from: z.number().int().min(1).describe('The first omitted id.'),
      to: z.number().int().min(1).describe('The last omitted id.'),
    },
  ),
  error: headedFrame(
    'error',
    'The answer to an unknown message. The socket stays open.',
    { message: 'Unknown message. Send the text ping, every 20 to 25 seconds.' },
    { message: text('The expected message, in words.') },
  ),
  degraded: headedFrame(
    'degraded',
    'For a minute or longer the market has been unavailable, or its trades unconfirmed: alerts may be late. Sent once for each cause; a client that connects during that time gets it after the alerts it missed.',
    {
      since: '2026-03-14T09:26:53.000Z',
      cause: 'unreachable',
      reason: 'unreachable',
      message:
        'The market has not been seen since 2026-03-14 09:26:53 UTC. The market did not answer. Alerts may come late.',
      facts_delayed: null,
    },
    {
      since: moment('The time up to which all trades are known.'),
      cause: blindWindowCause.describe(CAUSES_IN_WORDS),
      reason: reasonSchema,
      message: text('Explanation in words.'),
      facts_delayed: orNull(
        factsDelayedSchema,
        'Trades of new wallets that are waiting for facts; null while none is late.',
      ),
    },
  ),
  recovered: headedFrame(
    'recovered',
    'The end of `degraded`. Sent to the clients that were sent `degraded`.',
    { since: '2026-03-14T09:26:53.000Z', until: '2026-03-14T09:31:20.000Z', backfilled: true },
    {
      since: moment('The `since` of the frame `degraded`.'),
      until: moment('When the market was available again.'),
      backfilled: flag(
        'Whether the missed trades have been read. `GET /coverage` shows when they are read later.',
      ),
    },
  ),
};

/** The query of the stream except `api_key`, which the key check reads. Loose: unknown names are refused with a close code. */
export const streamQuerySchema = z.looseObject({
  since_id: parameter(
    queryInteger({ min: 0, max: Number.MAX_SAFE_INTEGER }),
    'The last alert id that the client received. Later alerts are sent first, oldest first, at most 10,000.',
    1204,
  ),
  ...conditionShape,
  outcomes: parameter(
    queryBoolean(),
    'Also sends outcomes and corrections as they are entered in the log, if at least one alert of the market passes the filter.',
    true,
  ),
  exits: parameter(
    queryBoolean(),
    'Also sends exits as they are published, if the newest alert of their thread passes the filter.',
    true,
  ),
  test: parameter(
    queryBoolean(),
    'Sends one invented alert after `connected`, marked with `"test": true`, to try a client.',
    true,
  ),
});
export type StreamQuery = z.infer<typeof streamQuerySchema>;
