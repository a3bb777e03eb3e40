import { describe, expect, test } from 'vitest';
import { plainText } from '../../../bots/shared/screen.ts';
import { MINUTE_MS } from '../../../src/core/base/time/duration.ts';
import { type ConversationVisit, openConversationVisit } from '../../support/chat/conversation-visit.ts';
import { getKey } from './key-tap.ts';

/** The same person, answered by another process on the same database. */
function restarted({ fixture, visitor }: ConversationVisit) {
  const conversation = fixture.makeConversation('telegram');
  return {
    type: (text: string) => conversation.move(visitor, { kind: 'text', text }),
    act: (action: string) => conversation.move(visitor, { kind: 'tap', action }),
  };
}

describe('a question that a person was asked', () => {
  test('for another name is answered after a restart', async () => {
    const visit = await openConversationVisit();
    const { keyId } = await getKey(visit);
    await visit.act(`rename:${keyId}`);

    expect((await restarted(visit).type('Desk')).name).toBe('renamed');
    expect(await visit.fixture.keys()).toMatchObject([{ name: 'Desk' }]);
  });

  test('for a link code is answered after a restart', async () => {
    const visit = await openConversationVisit();
    await visit.command('link');

    expect((await restarted(visit).type('ABCD2345')).name).toBe('confirm_link');
  });

  test('is closed by another button, also after a restart', async () => {
    const visit = await openConversationVisit();
    const { keyId } = await getKey(visit);
    await visit.act(`rename:${keyId}`);
    const later = restarted(visit);
    await later.act('start');

    expect((await later.type('Desk')).name).toBe('unknown');
  });

  test('stays open when the store failed to take the answer', async () => {
    const visit = await openConversationVisit();
    const { keyId } = await getKey(visit);
    await visit.act(`rename:${keyId}`);
    visit.fixture.faults.breakCall(2, 'before');
    expect((await visit.type('Desk')).name).toBe('sorry');
    visit.fixture.faults.recover();

    expect((await visit.type('Desk')).name).toBe('renamed');
  });

  test('is gone with the data of its person', async () => {
    const visit = await openConversationVisit();
    const { keyId } = await getKey(visit);
    const { id } = await visit.fixture.customer();
    await visit.act(`rename:${keyId}`);
    await visit.act(`delete_yes:${id}`);

    expect(await visit.fixture.database.questions.get(visit.visitor)).toBeNull();
  });
});

describe('link codes', () => {
  test('five wrong ones: the answer says until when to wait, and from then on a right one links', async () => {
    const visit = await openConversationVisit();
    const { customers, clock } = visit.fixture;
    const wrong = () => visit.act('link_yes:WRONG234');
    for (let guess = 1; guess <= 4; guess += 1) expect((await wrong()).name).toBe('link_unknown_code');
    await clock.advance(MINUTE_MS);

    const fifth = await wrong();
    const elsewhere = { platform: 'discord', userId: '9', name: 'ann', chat: '9' } as const;
    const maker = await customers.visit(elsewhere);
    const right = async () => visit.act(`link_yes:${(await customers.linking.start(maker.id)).code}`);

    expect([fifth.name, plainText(fifth)]).toEqual([
      'link_too_many_guesses',
      expect.stringContaining('until 2026-01-02 00:10 UTC'),
    ]);
    expect((await right()).name).toBe('link_too_many_guesses');
    await clock.advance(9 * MINUTE_MS);
    expect((await right()).name).toBe('linked');
  });
});

test('/cancel ends the open question: the next line is no answer to it', async () => {
  const visit = await openConversationVisit();
  const { keyId } = await getKey(visit);
  await visit.act(`rename:${keyId}`);
  expect((await visit.command('cancel')).name).toBe('cancelled');
  expect((await visit.type('New name')).name).toBe('unknown');
  expect((await visit.fixture.keys()).map(({ name }) => name)).toEqual(['Key 1']);
});

test('/cancel without an open question says that there is none', async () => {
  const visit = await openConversationVisit();
  expect((await visit.command('cancel')).name).toBe('nothing_to_cancel');
});

test('a photo, a sticker or a voice message gets a line, and leaves the open question open', async () => {
  const visit = await openConversationVisit();
  const { keyId } = await getKey(visit);
  await visit.act(`rename:${keyId}`);
  expect((await visit.conversation.move(visit.visitor, { kind: 'content' })).name).toBe('text_only');
  expect((await visit.type('New name')).name).toBe('renamed');
});
