import { z } from 'zod';
import { conditionShape } from '../query/alert-query.ts';
import { queryBoolean, queryInteger } from '../query/query-values.ts';

/** The query of the stream except `api_key`, which the key check reads. Loose: unknown names are refused with a close code. */
export const streamQuerySchema = z.looseObject({
  since_id: queryInteger({ min: 0, max: Number.MAX_SAFE_INTEGER })
    .optional()
    .meta({
      description:
        'The last alert id that the client has. Later alerts are sent first, oldest first, at most 10,000.',
      examples: [1204],
    }),
  ...conditionShape,
  outcomes: queryBoolean()
    .optional()
    .meta({
      description:
        'Also sends outcomes and corrections as they are entered in the log, if at least one alert of the market passes the filter.',
      examples: [true],
    }),
  test: queryBoolean()
    .optional()
    .meta({
      description: 'Sends one invented alert after `connected`, marked with `"test": true`, to try a client.',
      examples: [true],
    }),
});
export type StreamQuery = z.infer<typeof streamQuerySchema>;
