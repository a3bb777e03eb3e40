import { describe, expect, test } from 'vitest';
import { plainText } from '../../../bots/shared/screen.ts';
import { MINUTE_MS } from '../../../src/core/base/time/duration.ts';
import { alertOf } from '../../support/alerts.ts';
import { everyScreen, openConversationVisit } from '../../support/chat/conversation-visit.ts';
import { storeAlerts } from '../../support/stored.ts';
import { getKey, PRO } from './key-tap.ts';

describe('screens', () => {
  test('every button leads on, and fits what the platforms take', async () => {
    const visit = await openConversationVisit();
    await getKey(visit, PRO);
    const screens = await everyScreen(visit);
    expect(new Set(screens.map(({ name }) => name)).size).toBeGreaterThan(18);
    expect(screens.map(({ name }) => name)).not.toContain('stale');
    expect(screens.map(({ name }) => name)).not.toContain('unknown');
    for (const { name, buttons, ask } of screens) {
      expect(buttons.flat().length, name).toBeGreaterThan(0);
      for (const button of buttons.flat()) {
        if ('action' in button) expect(button.action, name).toMatch(/^[\x21-\x7e]{1,60}$/);
        expect(button.label.length, name).toBeLessThanOrEqual(40);
      }
      if (ask !== null) expect(ask.action, name).toMatch(/^[\x21-\x7e]{1,60}$/);
    }
  });

  test('only screens with a secret show one, once, as a span of its own', async () => {
    const visit = await openConversationVisit();
    await getKey(visit);
    for (const { name, body, secret } of await everyScreen(visit)) {
      const whole = body.filter(
        (paragraph) => JSON.stringify(paragraph) === JSON.stringify([{ code: secret?.text }]),
      );
      expect(whole.length, name).toBe(secret === null ? 0 : 1);
      if (secret === null) expect(plainText({ body }), name).not.toMatch(/sk_live_[\w-]{43}/);
    }
  });

  test('menus of the platforms take the commands', async () => {
    const { conversation } = await openConversationVisit();
    for (const { name, description } of conversation.commands) {
      expect(name).toMatch(/^[a-z]{1,32}$/);
      expect(description.length).toBeLessThanOrEqual(100);
    }
  });
});

describe('a line of text', () => {
  test('answers the last question, once, within 10 minutes, unless another move came between', async () => {
    const visit = await openConversationVisit();
    const { keyId } = await getKey(visit);
    await visit.act(`rename:${keyId}`);
    expect((await visit.type('One')).name).toBe('renamed');
    expect((await visit.type('Two')).name).toBe('hint');
    await visit.act(`rename:${keyId}`);
    await visit.command('hot');
    expect((await visit.type('Three')).name).toBe('hint');
    await visit.act(`rename:${keyId}`);
    await visit.fixture.clock.advance(10 * MINUTE_MS);
    expect((await visit.type('Four')).name).toBe('hint');
    await visit.act(`rename:${keyId}`);
    await visit.fixture.clock.advance(10 * MINUTE_MS - 1);
    expect((await visit.type('Five')).name).toBe('renamed');
    expect((await visit.fixture.keys()).map(({ name }) => name)).toEqual(['Five']);
  });

  test('answers the question only when it comes from the user who was asked', async () => {
    const visit = await openConversationVisit();
    const { keyId } = await getKey(visit);
    await visit.act(`rename:${keyId}`);
    expect((await visit.other('200').type('Mine now')).name).toBe('hint');
    expect((await visit.type('Mine')).name).toBe('renamed');
  });

  test('reads the same when a form sends it with its action in front', async () => {
    const visit = await openConversationVisit();
    const { keyId } = await getKey(visit);
    const { ask } = await visit.act(`rename:${keyId}`);
    expect((await visit.act(`${ask?.action}:A: b :c`)).name).toBe('renamed');
    expect((await visit.fixture.keys()).map(({ name }) => name)).toEqual(['A: b :c']);
  });
});

test('last alerts name a position once, by its newest alert (one line per thread)', async () => {
  const visit = await openConversationVisit();
  const createdAt = visit.fixture.clock.now();
  for (let id = 1; id <= 20; id += 1) {
    const thread = { threadId: id <= 4 ? id : 5, eventTitle: `Alert ${id}?` };
    await storeAlerts(visit.fixture.database, alertOf({ id, createdAt, marketId: `0xm${id}`, ...thread }));
  }
  await visit.fixture.clock.advance(MINUTE_MS * 5);

  const lines = plainText(await visit.command('alerts')).match(/^Alert \d+\?/gm);

  expect(lines).toEqual(['Alert 20?', 'Alert 4?', 'Alert 3?', 'Alert 2?', 'Alert 1?']);
});
