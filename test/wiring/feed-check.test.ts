import { expect, test } from 'vitest';
import { feedCheck } from '../../src/wiring/readiness.ts';
import { START } from '../support/rows.ts';

test('a blind feed is named with since, cause and age, and keeps the process ready: the archive is served', () => {
  const blind = { id: 'a', startedAt: START, endedAt: null, cause: 'refused', backfilledAt: null } as const;
  const view = {
    state: 'blind',
    since: START - 1,
    confirmedUntil: START,
    blind,
    last: null,
    reason: 'refused',
    factsDelayed: null,
  } as const;
  expect(feedCheck(view, START + 31_900)).toEqual({
    ready: true,
    state: 'blind',
    blind_since: '2026-01-02T00:00:00.000Z',
    cause: 'refused',
    reason: 'refused',
    message: 'The market refused this address (HTTP 403 or 451): is it geo-blocked?',
    confirmed_until: '2026-01-02T00:00:00.000Z',
    age_seconds: 31,
  });
});

test('a state that cannot be determined is unknown', () => {
  expect(feedCheck(null, START)).toEqual({ ready: true, state: 'unknown' });
});

test('a feed that nothing confirms is named by a word of its own: it is not blind', () => {
  const lasts = { id: 'a', startedAt: START, endedAt: null, backfilledAt: null } as const;
  const blind = { ...lasts, cause: 'unconfirmed' } as const;
  const view = {
    state: 'unconfirmed',
    since: START,
    confirmedUntil: START,
    blind,
    last: null,
    reason: null,
    factsDelayed: null,
  } as const;
  expect(feedCheck(view, START + 31_900)).toEqual({
    ready: true,
    state: 'unconfirmed',
    unconfirmed_since: '2026-01-02T00:00:00.000Z',
    confirmed_until: '2026-01-02T00:00:00.000Z',
    age_seconds: 31,
  });
});
