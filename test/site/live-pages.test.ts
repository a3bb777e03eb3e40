import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { LIVE_PAGES_MAX, LIVE_PAGES_PER_ADDRESS, LivePages } from '../../src/site/live-pages.ts';
import { createFakeClock } from '../support/clock.ts';

const COLLECTED = 250;
const CHANGED = 'event: changed\ndata: {}\n\n';

/** The answer to a browser, which has read nothing of `writableLength`. */
class FakeResponse extends EventEmitter {
  readonly texts: string[] = [];
  writableLength = 0;
  isEnded = false;

  writeHead(): void {}
  write(text: string): void {
    this.texts.push(text);
  }
  end(): void {
    this.isEnded = true;
    this.emit('close');
  }
  destroy(): void {
    this.end();
  }
  /** Events received, without the hello and the beats. */
  get events(): string[] {
    return this.texts.filter((text) => text.startsWith('event'));
  }
}

function openLive() {
  const clock = createFakeClock(0);
  const live = new LivePages(clock);
  const attach = (topics: string, address = 'a') => {
    const response = new FakeResponse();
    const asked = { address, topics: topics.split(' '), headers: { 'x-standing': '1' } };
    const refusal = live.attach(response as unknown as ServerResponse, asked);
    return Object.assign(response, { refusal });
  };
  return { clock, live, attach };
}

describe('a live page', () => {
  test('gets an event for its topics and for no others', async () => {
    const { clock, live, attach } = openLive();
    const [market, both, other] = [attach('m'), attach('m w'), attach('x')];
    live.change('m');
    await clock.advance(COLLECTED);
    expect([market.events, both.events, other.events]).toEqual([[CHANGED], [CHANGED], []]);
    live.change('w');
    await clock.advance(COLLECTED);
    expect([market.events.length, both.events.length]).toEqual([1, 2]);
  });

  test('gets the changes of a quarter of a second as one event', async () => {
    const { clock, live, attach } = openLive();
    const page = attach('m w');
    for (let index = 0; index < 100; index += 1) live.change(index % 2 === 0 ? 'm' : 'w');
    expect(clock.sleepers).toBe(1);
    await clock.advance(COLLECTED - 1);
    expect(page.events).toEqual([]);
    await clock.advance(1);
    expect(page.events.length).toBe(1);
    expect(clock.sleepers).toBe(0);
  });

  test('gets a comment every 25 s, so that no proxy takes it for dead', async () => {
    const { clock, live, attach } = openLive();
    const page = attach('m');
    const ended = new AbortController();
    const running = live.run(ended.signal);
    await clock.asleep();
    await clock.advance(50_000);
    ended.abort();
    await running;
    expect(page.texts.filter((text) => text === ':\n\n').length).toBe(3);
  });

  test('that reads nothing is cut off and makes room', async () => {
    const { clock, live, attach } = openLive();
    const [slow, other] = [attach('m'), attach('m')];
    slow.writableLength = 65_537;
    live.change('m');
    await clock.advance(COLLECTED);
    expect([slow.isEnded, slow.events, other.events.length, live.count]).toEqual([true, [], 1, 1]);
  });

  test('is ended at the end of the service, also one that comes then', () => {
    const { live, attach } = openLive();
    const page = attach('m');
    live.close();
    const late = attach('m');
    expect([page.isEnded, late.isEnded, live.count]).toEqual([true, true, 0]);
  });
});

describe('live pages', () => {
  test('are ten of an address at most; one that closes makes room', () => {
    const { attach } = openLive();
    const pages = Array.from({ length: LIVE_PAGES_PER_ADDRESS + 1 }, () => attach('m'));
    expect(pages.map(({ refusal }) => refusal)).toEqual([...Array(10).fill(null), 'address']);
    expect(pages.at(-1)?.texts).toEqual([]);
    expect(attach('m', 'b').refusal).toBeNull();
    pages[0]?.end();
    expect(attach('m').refusal).toBeNull();
  });

  test('are 5,000 in all at most', () => {
    const { live, attach } = openLive();
    for (let index = 0; index < LIVE_PAGES_MAX; index += 1) attach('m', String(index));
    const last = attach('m', 'last');
    expect([live.count, last.refusal, last.texts]).toEqual([5_000, 'total', []]);
  });
});
