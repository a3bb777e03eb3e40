import { expect, test } from 'vitest';
import type { Handle } from '../../../src/core/accounts/customers/customer.ts';
import type { KeyMessage } from '../../../src/core/chat/conversation-stores.ts';
import { openConsoleFixture } from '../../bots/admin/console-fixture.ts';
import { noteFor } from '../../support/chat/messages.ts';
import { openCustomerFixture, visitorOf } from '../../support/customer-fixture.ts';
import { everyRow } from '../../support/every-row.ts';
import { START } from '../../support/rows.ts';
import { onEachDatabase } from './each-database.ts';

const TELEGRAM = '7310000001';
const DISCORD = '920000000000000001';
const [NAME, OTHER_NAME] = ['ann_of_erasing', 'ann_elsewhere'];
/** All that names the person: ids of platforms and chats, names, and the name of a key. */
const TRACES = new RegExp([TELEGRAM, DISCORD, NAME, OTHER_NAME, 'desk of ann'].join('|'), 'i');

onEachDatabase('a person whose data is erased', (fixture) => {
  /** Of a person on two platforms, everything that any part stores of them. */
  async function settled() {
    const { database } = fixture;
    const stand = await openConsoleFixture(() => ({}), database);
    const { service, give } = openCustomerFixture(database, {}, stand.clock);
    const { id } = await service.visit(visitorOf(TELEGRAM, { name: NAME }));
    const { key } = await give({ customerId: id, tier: 'pro', request: 'first' });
    await service.keys.rename(id, key.id, 'desk of ann');
    const other = await service.visit(visitorOf(DISCORD, { platform: 'discord', name: OTHER_NAME }));
    const { code } = await service.linking.start(id);
    expect(await service.linking.link(other.id, code)).toMatchObject({ ok: true });
    await service.linking.start(id);
    // The merged customer has the id of either.
    const owner = await service.byId(id);
    if (owner === null) throw new Error('no such customer');
    await writeTo(owner.id, key.id, owner.handles);
    for (const line of ['extend NAME 5', 'ban NAME', 'unban NAME', 'unban NAME', 'provision Desk for NAME'])
      await stand.confirm(line.replace('NAME', `@${NAME}`));
    await stand.confirm(`extend telegram:${TELEGRAM} 5`);
    await stand.confirm(`revoke ${key.id}`);
    expect((await stand.audited()).length).toBe(13);
    return { service, id: owner.id };
  }

  /** Messages to the person, one of them sent, a question, and messages that show a key. */
  async function writeTo(id: string, keyId: string, handles: readonly Handle[]): Promise<void> {
    const { chat, questions, keyMessages } = fixture.database;
    const notes = [noteFor(`customer:${id}`), noteFor(`key:${keyId}`)];
    await chat.add(notes);
    await chat.claim(notes[0]?.id ?? '', { owner: 'a#1', at: START });
    await chat.finish(notes[0]?.id ?? '', 'a#1', { state: 'sent', place: `${TELEGRAM}:5`, at: START });
    for (const { platform, userId } of handles)
      await questions.put({ platform, userId, action: `rename_to:${keyId}`, expiresAt: START });
    const times = { createdAt: START, dueAt: START, attempts: 0 };
    const shown = (bot: KeyMessage['bot'], message: number): KeyMessage => ({
      ...{ bot, messageRef: `${TELEGRAM}:${message}`, request: 'first', ...times },
    });
    for (const one of [shown('telegram', 1), shown('telegram', 2), shown('telegram_admin', 3)])
      await keyMessages.add(one);
  }

  const traces = async () => (await everyRow(fixture.url)).filter((row) => TRACES.test(row));

  test('is named in no row of any table', async () => {
    const { service, id } = await settled();
    expect((await traces()).length).toBeGreaterThan(6);

    await service.erase(id);

    expect(await traces()).toEqual([]);
  });

  test('is named in no row either when the erasure was interrupted and is completed later', async () => {
    const { service, id } = await settled();
    const record = await fixture.database.customers.get(id);
    if (record === null) throw new Error('no such customer');
    await fixture.database.customers.replace({ ...record, erasingAt: START });

    expect(await service.resumeInterrupted()).toBe(1);

    expect(await traces()).toEqual([]);
  });

  test('keeps others’ messages with keys', async () => {
    const { service, id } = await settled();
    const other = { bot: 'telegram', messageRef: `${TELEGRAM}0:1`, request: 'x' } as const;
    await fixture.database.keyMessages.add({ ...other, createdAt: START, dueAt: START, attempts: 0 });

    await service.erase(id);

    expect(await fixture.database.keyMessages.next('telegram', 10)).toMatchObject([other]);
  });
});
