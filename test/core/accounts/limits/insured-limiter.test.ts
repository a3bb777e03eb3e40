import { describe, expect, test } from 'vitest';
import {
  InsuredLimiter,
  type LimitVerdict,
  type RateLimiter,
} from '../../../../src/core/accounts/limits/rate-limiter.ts';
import { createFakeClock } from '../../../support/clock.ts';

function verdictOf(limit: number): LimitVerdict {
  return { isAllowed: true, limit, remaining: 0, resetMs: 0 };
}

/** Two limiters that tell who was asked by the limit they answer: 1 is the shared one, 2 the local one. */
function openInsured() {
  const clock = createFakeClock(1_000_000);
  const store = { mode: 'up' as 'up' | 'throws' | 'hangs', asked: 0 };
  const said: string[] = [];
  const answer = (): Promise<LimitVerdict> => {
    store.asked += 1;
    if (store.mode === 'throws') return Promise.reject(new Error('connection lost'));
    return store.mode === 'hangs' ? new Promise(() => {}) : Promise.resolve(verdictOf(1));
  };
  const local: RateLimiter = { consume: async () => verdictOf(2), read: async () => verdictOf(2) };
  const note = (_: object, message: string) => void said.push(message);
  const limiter = new InsuredLimiter({
    shared: { consume: answer, read: answer },
    local,
    clock,
    logger: { info: note, warn: note },
  });
  const consume = async () => ((await limiter.consume('a', 1)).limit === 1 ? 'shared' : 'local');
  const read = async () => ((await limiter.read('a', 1)).limit === 1 ? 'shared' : 'local');
  return { clock, store, said, consume, read };
}

describe('insured limiter', () => {
  test('continues with the local limiter when the shared one fails, and does not call it for a second', async () => {
    const { consume, read, store, clock, said } = openInsured();
    store.mode = 'throws';
    expect([await consume(), await consume(), await read()]).toEqual(['local', 'local', 'local']);
    await clock.advance(999);
    expect(await consume()).toBe('local');
    expect(store.asked).toBe(1);
    expect(said).toEqual(['shared rate limits unavailable; counting in this process']);
  });

  test('waits 250 ms for the shared one and no longer', async () => {
    const { consume, store, clock } = openInsured();
    store.mode = 'hangs';
    const answer = consume();
    await clock.asleep();
    await clock.advance(250);
    expect(await answer).toBe('local');
    expect(await consume()).toBe('local');
    expect([store.asked, clock.sleepers]).toEqual([1, 0]);
  });

  test('while it is away one call a second tries it, and the others do not wait for that one', async () => {
    const { consume, store, clock } = openInsured();
    store.mode = 'throws';
    await consume();
    store.mode = 'hangs';
    await clock.advance(1_000);
    const trial = consume();
    expect([await consume(), await consume()]).toEqual(['local', 'local']);
    await clock.asleep();
    await clock.advance(250);
    expect(await trial).toBe('local');
    expect(store.asked).toBe(2);
  });

  test('is shared again with the first call that is answered, and says so once', async () => {
    const { consume, store, clock, said } = openInsured();
    store.mode = 'throws';
    await consume();
    store.mode = 'up';
    await clock.advance(1_000);
    expect([await consume(), await consume()]).toEqual(['shared', 'shared']);
    expect(said).toEqual([
      'shared rate limits unavailable; counting in this process',
      'rate limits are shared again',
    ]);
  });
});
