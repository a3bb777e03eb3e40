import { expect, test } from 'vitest';
import { MINUTE_MS } from '../../../src/core/base/time/duration.ts';
import { alertOf, exitOf } from '../../support/alerts.ts';
import { openPosts } from '../../support/chat/open-posts.ts';
import { type Answer, refusal } from '../../support/chat/scripted-messenger.ts';
import { storeExits } from '../../support/stored.ts';

const DELAY_MS = 5 * MINUTE_MS;
const RULES = { channels: ['telegram'], minScore: 0, minUsdc: 0, delayMs: DELAY_MS } as const;

/** The posts of a wallet's alert and of a cluster's, which another wallet completed. */
async function openPosted(answer?: Answer) {
  const fixture = await openPosts(RULES, { ...(answer && { answer }) });
  fixture.send();
  await fixture.publish({ id: 1 });
  const details = { ...alertOf({ id: 2 }).details, wallets: ['0xaa', '0xbb', '0xcc'] };
  await fixture.publish({ id: 2, type: 'cluster', wallet: '0xbb', details });
  await fixture.pass(DELAY_MS + 10_000);
  expect(fixture.shown()).toEqual(['send 1: open', 'send 2: open']);
  const edits = () => fixture.shown().slice(2);
  const append = (given: Parameters<typeof exitOf>[0]) =>
    storeExits(fixture.database, exitOf({ createdAt: fixture.clock.now(), ...given }));
  return { ...fixture, append, edits };
}

test('the post of an alert is edited once per exit, when the channels may show it', async () => {
  const { append, pass, edits } = await openPosted();
  await append({ number: 1 });
  await pass(DELAY_MS - 10_000);
  expect(edits()).toEqual([]);
  await pass(20_000);
  expect(edits()).toEqual(['edit m1 1: open']);
  await append({ number: 2, level: 'out' });
  await append({ number: 3, isHistory: true });
  await pass(DELAY_MS + 20_000);
  expect(edits()).toEqual(['edit m1 1: open', 'edit m1 1: open']);
});

test('a post that cannot be edited gets a reply about the exit, which is withdrawn with it', async () => {
  const isEdit: Answer = ({ how }) => (how === 'edit' ? refusal('refused') : undefined);
  const { append, pass, edits, withdraw } = await openPosted(isEdit);
  await append({ number: 1 });
  await pass(DELAY_MS + 20_000);
  expect(edits()).toEqual(['edit m1 1: open', 'reply m1 1: open']);

  expect((await withdraw(1)).map(({ id }) => id)).toEqual(['alert:1@telegram', 'exit:1:1@telegram']);
});
