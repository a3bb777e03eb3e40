import { z } from 'zod';
import type { DatedHead } from '../../core/alerts/alert-index/alert-index.ts';
import { LOG_KINDS, type LogHead } from '../../core/alerts/log/log-entry.ts';
import { isoOrNull } from '../../core/base/text/date-time.ts';
import { component, moment, momentOrNull, text } from '../schemas/fields.ts';
import { ENTRY_EXAMPLE, HEAD_EXAMPLE } from './examples.ts';

const HASH = '^[0-9a-f]{64}$';

const sequence = (min: 0 | 1, description: string) =>
  z.number().int().min(min).meta({ description, format: 'int64' });

const headFields = z.object({
  seq: sequence(0, 'Number of the entry: 1, 2, 3 … without a gap; 0 for the empty log.'),
  hash: z.string().meta({
    description:
      'SHA-256 of the canonical JSON (RFC 8785) of the entry without `hash`, in lower-case hexadecimal. Since each entry contains the hash of the one before it, it identifies all of them. 64 zeros for the empty log.',
    pattern: HASH,
  }),
});

export const logHeadSchema = headFields.meta({
  id: 'LogHead',
  description: 'An entry of the log, and with it every entry before it.',
  examples: [HEAD_EXAMPLE],
});

export const datedHeadSchema = headFields
  .extend({
    at: momentOrNull('When the entry was written; null for the empty log.'),
  })
  .meta({
    id: 'DatedLogHead',
    description: 'The newest entry that this caller may see.',
    examples: [{ ...HEAD_EXAMPLE, at: ENTRY_EXAMPLE.at }],
  });

export const eventSchema = component(
  'Event',
  'One event of the log, as canonical JSON (RFC 8785). It never changes.',
  ENTRY_EXAMPLE,
  {
    at: moment('When the entry was written. Never earlier than the entry before it.'),
    body: z.looseObject({}).describe('The content; for an alert, its fields as published.'),
    epoch: z.number().int().min(0).meta({
      description: 'Grows when another run of the worker writes; never smaller than in the entry before.',
    }),
    hash: headFields.shape.hash,
    key: text('Unique in the log. Of settlements, gaps and rules it ends with the `seq` of the one before.'),
    kind: text(`${LOG_KINDS.map((kind) => `\`${kind}\``).join(', ')}; more kinds may be added.`),
    previous: z
      .string()
      .meta({ description: 'The hash of the entry before it; 64 zeros in the first.', pattern: HASH }),
    seq: sequence(1, 'Its number: 1, 2, 3 … without a gap.'),
  },
);

export function logHeadView({ seq, hash }: LogHead): z.infer<typeof logHeadSchema> {
  return { seq, hash };
}

export function datedHeadView({ at, ...head }: DatedHead): z.infer<typeof datedHeadSchema> {
  return { ...logHeadView(head), at: isoOrNull(at) };
}
