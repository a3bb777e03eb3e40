import { expect, onTestFinished, test } from 'vitest';
import { DiscordMessenger } from '../../../bots/discord/discord-messenger.ts';
import { createDiscordRest } from '../../../bots/discord/discord-rest.ts';
import { plainScreen } from '../../../bots/shared/screen.ts';
import type { ChatMessage } from '../../../src/core/chat/chat-message.ts';
import { fakeCustomers, handleOn } from '../../support/chat/chat-engine-fixture.ts';
import { createDiscordStandIn, TOKEN } from '../../support/chat/discord-stand-in.ts';
import { CHANNEL, type Fault } from '../../support/chat/discord-wire.ts';
import { noteFor, postOf } from '../../support/chat/messages.ts';
import { openOutbox } from '../../support/chat/open-outbox.ts';
import { createFakeClock } from '../../support/clock.ts';
import { START } from '../../support/rows.ts';

const ANN = '900000000000000100';
const NOTE = 'note:customer:cus_a';
const POST_MESSAGE = /^POST \/channels\/\d+\/messages$/;

/** The outbox with the Discord messenger, over a fake of Discord. The text of a message differs each time. */
async function openDiscordOutbox() {
  const standIn = await createDiscordStandIn();
  onTestFinished(() => standIn.close());
  const rest = createDiscordRest({ token: TOKEN, apiRoot: standIn.api, timeoutMs: 500 });
  const messenger = new DiscordMessenger({ rest, channelId: CHANNEL });
  let texts = 0;
  const present = async ({ id }: ChatMessage) => plainScreen('alert', [`${id}, text ${++texts}`], []);
  const customers = fakeCustomers({ cus_a: [{ ...handleOn('discord', ANN), chat: ANN }] });
  const clock = createFakeClock(START);
  return { standIn, ...(await openOutbox({ discord: messenger }, { clock, customers, present })) };
}

test.each<[string, Fault]>([
  ['500 comes after it was posted', { status: 500, after: true }],
  ['502 comes after it was posted', { status: 502, after: true }],
  ['no answer comes after it was posted', { hang: true, after: true }],
  ['500 comes and nothing was posted', { status: 500 }],
])('when %s, a post and a private message are sent again, and are there once', async (_, fault) => {
  const { standIn, store, start, reaches } = await openDiscordOutbox();
  standIn.fault(POST_MESSAGE, fault, 2);
  await store.add([postOf(1, { channel: 'discord' }), noteFor('customer:cus_a')]);

  start();
  await reaches('alert:1@discord', 'sent');
  await reaches(NOTE, 'sent');

  expect(standIn.messages.size).toBe(2);
  for (const id of ['alert:1@discord', NOTE])
    expect(standIn.messages.has((await store.byId(id))?.place?.split(':')[1] ?? '')).toBe(true);
});

test('a bot that is put out of the server for a while posts what was due, once it is back', async () => {
  const { standIn, store, start, reaches } = await openDiscordOutbox();
  standIn.fault(POST_MESSAGE, { status: 403, code: 50_001 });
  await store.add([postOf(1, { channel: 'discord' })]);

  start();
  await reaches('alert:1@discord', 'sent');

  expect(standIn.messages.size).toBe(1);
});
