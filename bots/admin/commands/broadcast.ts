import { PLATFORM_LABELS } from '../../../src/core/accounts/customers/customer.ts';
import { counted } from '../../../src/core/base/text/formats.ts';
import { broadcast, countBroadcast } from '../../../src/core/chat/broadcast.ts';
import { CHANNELS } from '../../../src/core/chat/chat-message.ts';
import { type ConsoleCommand, done } from '../command.ts';

const TEXT_LENGTH = 1_500;

export const broadcastCommand: ConsoleCommand = {
  isIrreversible: true,
  usage: 'broadcast TEXT',
  description: 'Counts who would get the text and shows it; sends it when that is confirmed',
  async run(text, deps) {
    if (text.length > TEXT_LENGTH)
      return { wrong: `TEXT has ${text.length} characters; the maximum is ${TEXT_LENGTH}.` };
    const sending = { ...deps, store: deps.database.chat };
    const audience = await countBroadcast(sending);
    const count = CHANNELS.reduce((sum, channel) => sum + audience[channel], 0);
    if (count === 0) return { refused: 'There is no customer to write to.' };
    const customers = counted(count, 'customer');
    const where = CHANNELS.map((channel) => `${audience[channel]} on ${PLATFORM_LABELS[channel]}`).join(
      ' and ',
    );
    const body = [
      [`Nothing is sent yet. ${customers} would get this text, ${where}:`],
      [text],
      ['Send it? It cannot be taken back.'],
    ];
    const id = deps.random.base64url(12);
    return {
      question: { body, yes: `Send to ${customers}` },
      act: async () =>
        done(`The text is on its way to ${counted(await broadcast(sending, { id, text }), 'customer')}.`),
    };
  },
};
