import { z } from 'zod';
import { TIERS } from '../../core/tier.ts';
import { alertSchema } from '../alert-view.ts';
import { ALERT_EXAMPLE } from '../examples.ts';

/** The frames of the server, each a text message that holds one JSON object. */
export const connectedFrameSchema = z
  .object({
    type: z.literal('connected'),
    message: z.string().describe('What to do next, in words, and which names of the query nobody knows.'),
    tier: z.enum(TIERS).describe('Tier of the key at this moment.'),
  })
  .meta({
    id: 'ConnectedFrame',
    description: 'The first frame, sent once.',
    examples: [
      { type: 'connected', message: 'Connected. Send the text ping every 20 to 25 seconds.', tier: 'pro' },
    ],
  });

export const alertFrameSchema = z.object({ type: z.literal('alert'), data: alertSchema }).meta({
  id: 'AlertFrame',
  description:
    'One alert. Its outcome is not followed here: one that was missed may carry it already. `GET /alerts/{id}` has it as it is.',
  examples: [{ type: 'alert', data: ALERT_EXAMPLE }],
});

export const pongFrameSchema = z
  .object({ type: z.literal('pong') })
  .meta({ id: 'PongFrame', description: 'The answer to a `ping`.', examples: [{ type: 'pong' }] });

export const gapFrameSchema = z
  .object({
    type: z.literal('gap'),
    from: z.number().int().min(1).describe('The first id that is left out.'),
    to: z.number().int().min(1).describe('The last id that is left out.'),
  })
  .meta({
    id: 'GapFrame',
    description:
      'Right after `connected` when more than 10,000 alerts were missed: those before the newest 10,000 are left out. `GET /alerts` has them.',
    examples: [{ type: 'gap', from: 101, to: 2_400 }],
  });

export const errorFrameSchema = z
  .object({ type: z.literal('error'), message: z.string().describe('What is right, in words.') })
  .meta({
    id: 'ErrorFrame',
    description: 'The answer to a message that nobody knows. The socket stays open.',
    examples: [{ type: 'error', message: 'Unknown message. Send the text ping, every 20 to 25 seconds.' }],
  });
