import { PLATFORM_LABELS } from '../../../src/core/accounts/customers/customer.ts';
import { counted } from '../../../src/core/base/text/formats.ts';
import type { BroadcastAudience } from '../../../src/core/chat/broadcast.ts';
import { CHANNELS } from '../../../src/core/chat/chat-message.ts';
import { type ActCommand, done } from '../command.ts';

/** `12 on Telegram and 3 on Discord` */
function whereText(audience: BroadcastAudience): string {
  return CHANNELS.map((channel) => `${audience[channel]} on ${PLATFORM_LABELS[channel]}`).join(' and ');
}

/** A message of Discord holds 2,000 characters, with what stands around it. */
const TEXT_LENGTH = 1_500;

export const broadcastCommand: ActCommand = {
  kind: 'act',
  name: 'broadcast',
  isIrreversible: true,
  usage: 'broadcast TEXT',
  description: 'Counts who would get the text and shows it; sends it when that is confirmed',
  parse(text) {
    if (text === '') return { wrong: 'TEXT is missing.' };
    if (text.length > TEXT_LENGTH)
      return { wrong: `TEXT has ${text.length} characters, and at most ${TEXT_LENGTH} are sent.` };
    return async ({ posts, random }) => {
      const audience = await posts.audience();
      const count = CHANNELS.reduce((sum, channel) => sum + audience[channel], 0);
      if (count === 0) return { refused: 'There is no customer who may be written to.' };
      const id = random.base64url(12);
      return {
        question: {
          body: [
            [
              `Nothing is sent yet. ${counted(count, 'customer')} would get this text, ${whereText(audience)}:`,
            ],
            [text],
            ['Send it? It cannot be taken back.'],
          ],
          yes: `Send to ${counted(count, 'customer')}`,
        },
        act: async () =>
          done(`The text is on its way to ${counted(await posts.broadcast({ id, text }), 'customer')}.`),
      };
    };
  },
};
