import { expect, test } from 'vitest';
import { ContentNotice } from '../../../bots/shared/inbox.ts';
import { MINUTE_MS } from '../../../src/core/base/time/duration.ts';
import { createFakeClock } from '../../support/clock.ts';
import { START } from '../../support/rows.ts';

test('a person gets one notice a minute, whatever others send', async () => {
  const clock = createFakeClock(START);
  const notice = new ContentNotice(clock);
  expect(['1', '1', '2', '1'].map((person) => notice.isDue(person))).toEqual([true, false, true, false]);
  await clock.advance(MINUTE_MS - 1);
  expect(notice.isDue('1')).toBe(false);
  await clock.advance(1);
  expect(notice.isDue('1')).toBe(true);
});
