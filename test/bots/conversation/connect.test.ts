import { describe, expect, test } from 'vitest';
import { plainText, type Screen } from '../../../bots/shared/screen.ts';
import { HOUR_MS, MINUTE_MS } from '../../../src/core/base/time/duration.ts';
import { type ConversationVisit, openConversationVisit } from '../../support/chat/conversation-visit.ts';
import { getKey, PRO } from './key-tap.ts';

const URL = 'https://discord.com/api/webhooks/123/abcdefghijklmnopqrst';
const OTHER = 'https://ntfy.sh/quiet-topic-7';

async function openPro(): Promise<ConversationVisit> {
  const visit = await openConversationVisit();
  await getKey(visit, PRO);
  return visit;
}

async function openConnected() {
  const visit = await openPro();
  await visit.command('connect', URL);
  const { id } = await visit.fixture.customer();
  const { destinations, clock } = visit.fixture;
  return { visit, id, destinations, clock, connected: (await destinations.current(id)) ?? expect.fail() };
}

async function follower({ fixture }: ConversationVisit) {
  return fixture.database.followers.get((await fixture.customer()).id);
}

const texts = (screen: Screen) => JSON.stringify(screen);

describe('an address', () => {
  test('is connected when the test message arrived, and takes the place of the chat', async () => {
    const visit = await openPro();
    const screen = await visit.command('connect', URL);
    expect(screen.name).toBe('connected');
    expect(plainText(screen)).toContain('Your alerts go to Discord from now on: discord.com/…qrst');
    expect(visit.fixture.tests).toEqual([URL]);
    const now = visit.fixture.clock.now();
    expect(await follower(visit)).toMatchObject({
      place: 'connect',
      destination: { kind: 'discord', url: URL, createdAt: now },
    });
  });

  test('is asked for, and taken as the next text', async () => {
    const visit = await openPro();
    expect(await visit.command('connect')).toMatchObject({ name: 'connect', removesMessage: false });
    expect(await visit.type(URL)).toMatchObject({ name: 'connected', removesMessage: true });
  });

  test.each([URL, 'https://hooks.slack.com/services/T0/B0/abcdefgh', OTHER])(
    'of a known service is taken without the command: %s',
    async (address) => {
      const visit = await openPro();
      expect(await visit.type(address)).toMatchObject({ name: 'connected', removesMessage: true });
    },
  );

  test('is never repeated: neither in an answer, nor on a button, nor in a log entry', async () => {
    const visit = await openPro();
    const screens = [await visit.command('connect', OTHER), await visit.command('connect')];
    screens.push(await visit.command('connect', 'http://ntfy.sh/quiet-topic-7'));
    visit.fixture.setTestResult({ ok: false, reason: 'failed', status: 404, error: null });
    screens.push(await visit.command('connect', OTHER));
    visit.fixture.faults.breakAll();
    screens.push(await visit.command('connect', OTHER));
    expect(screens.map(({ name }) => name)).toEqual([
      ...['connected', 'connect_state', 'connect_bad_address', 'connect_failed', 'sorry'],
    ]);
    for (const screen of screens) expect(texts(screen)).not.toContain('quiet-topic');
    expect(visit.fixture.errors).toHaveLength(1);
    expect(JSON.stringify(visit.fixture.errors)).not.toContain('quiet-topic');
  });

  test('is in a message that is to be deleted, whatever becomes of it', async () => {
    const visit = await openPro();
    expect((await visit.command('connect', URL)).removesMessage).toBe(true);
    expect((await visit.command('connect', 'nonsense')).removesMessage).toBe(true);
    visit.fixture.faults.breakAll();
    expect((await visit.command('connect', URL)).removesMessage).toBe(true);
    visit.fixture.faults.recover();
    expect((await visit.command('connect')).removesMessage).toBe(false);
  });

  test('that does not take the test message is not stored', async () => {
    const visit = await openPro();
    visit.fixture.setTestResult({ ok: false, reason: 'failed', status: 404, error: null });
    expect(plainText(await visit.command('connect', URL))).toContain('the address answered with status 404');
    visit.fixture.setTestResult({ ok: false, reason: 'failed', status: null, error: 'dns' });
    expect(plainText(await visit.command('connect', URL))).toContain('the address did not answer (dns)');
    expect(await follower(visit)).toBeNull();
  });

  test('of another service, or within a network, is refused without a request, and asked for again', async () => {
    const visit = await openPro();
    for (const address of ['https://example.org/hook?x=1', 'https://10.0.0.1/topic', 'hello there'])
      expect(await visit.command('connect', address)).toMatchObject({
        name: 'connect_bad_address',
        ask: { action: 'connect_to' },
      });
    expect(visit.fixture.tests).toEqual([]);
  });

  test('gets a test message when its owner asks, and is forgotten when they do', async () => {
    const { visit } = await openConnected();
    const state = await visit.command('connect');
    expect(state.buttons.flat().map(({ label }) => label)).toEqual(['Send a test', 'Send them here', 'Menu']);
    expect((await visit.act('connect_test')).name).toBe('connect_tested');
    expect(visit.fixture.tests).toEqual([URL, URL]);
    expect((await visit.act('connect_off')).name).toBe('connect_off');
    expect(await follower(visit)).toMatchObject({ place: 'telegram', destination: null });
    expect((await visit.act('connect_test')).name).toBe('connect_no_destination');
  });
});

test('without a Pro or Enterprise key nobody has an address', async () => {
  const visit = await openConversationVisit();
  expect(await visit.command('connect')).toMatchObject({ name: 'connect_tier', ask: null });
  expect(await visit.command('connect', URL)).toMatchObject({ name: 'connect_tier', removesMessage: true });
  await getKey(visit);
  expect((await visit.command('connect', URL)).name).toBe('connect_tier');
  expect(visit.fixture.tests).toEqual([]);
});

test('a person sends three test messages an hour at most, those of connecting among them', async () => {
  const visit = await openPro();
  const { clock, tests } = visit.fixture;
  await visit.command('connect', URL);
  await clock.advance(20 * MINUTE_MS);
  await visit.act('connect_test');
  await visit.act('connect_test');
  expect(plainText(await visit.act('connect_test'))).toContain('at most 3 test messages per hour');
  expect((await visit.command('connect', OTHER)).name).toBe('connect_limited');
  expect(tests).toHaveLength(3);
  await clock.advance(HOUR_MS - 20 * MINUTE_MS);
  expect((await visit.act('connect_test')).name).toBe('connect_tested');
});

describe('an address that ends', () => {
  const note = async ({ fixture }: ConversationVisit) => {
    const messages = await fixture.database.chat.due({
      lane: 'private',
      now: fixture.clock.now(),
      limit: 10,
    });
    return messages.filter(({ kind }) => kind === 'destination_off');
  };

  test('because it refuses messages is forgotten, and its owner is told once', async () => {
    const { visit, id, destinations, connected } = await openConnected();
    for (const _ of [1, 2]) await destinations.end(id, connected, 404);
    expect(await follower(visit)).toMatchObject({ place: 'telegram', destination: null });
    expect(await note(visit)).toMatchObject([
      {
        recipient: `customer:${id}`,
        facts: { service: 'discord', address: 'discord.com/…qrst', status: 404 },
      },
    ]);
  });

  test('is not ended by the refusal of an earlier one', async () => {
    const { visit, id, destinations, clock, connected } = await openConnected();
    await clock.advance(MINUTE_MS);
    await visit.command('connect', OTHER);
    await destinations.end(id, connected, 404);
    expect(await destinations.current(id)).toMatchObject({ url: OTHER });
    expect(await note(visit)).toEqual([]);
  });

  test('because the trial is over is forgotten when the next message would go there', async () => {
    const { visit, id, destinations, clock } = await openConnected();
    await clock.advance(31 * 24 * HOUR_MS);
    expect(await destinations.current(id)).toBeNull();
    expect(await follower(visit)).toMatchObject({ place: 'telegram', destination: null });
    expect(await note(visit)).toMatchObject([{ facts: { status: null } }]);
  });
});
