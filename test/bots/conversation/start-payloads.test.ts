import { expect, test } from 'vitest';
import { plainText } from '../../../bots/shared/screen.ts';
import { SECOND_MS } from '../../../src/core/base/time/duration.ts';
import { actionOf, openConversationVisit } from '../../support/chat/conversation-visit.ts';

const TEN_MINUTES_OLD = 1;

test.each([
  ['key', 'choose_tier'],
  ['upgrade', 'upgrade'],
  ['pro', 'upgrade'],
  [`alert_${TEN_MINUTES_OLD}`, 'alert'],
  [`f_${TEN_MINUTES_OLD}`, 'follow_alert'],
  ['f_99', 'no_subject'],
  ['f_x', 'start'],
  [`m_${TEN_MINUTES_OLD}`, 'market_preview'],
  ['m_99', 'no_subject'],
  ['m_will-it-rain', 'start'],
  ['w_0x00000000000000000000000000000000000000AA', 'wallet_preview'],
  ['w_politics', 'start'],
  ['w_0x12', 'start'],
  ['r_--2_1o__', 'follow_preview'],
  ['r_--___BZmVkIHJhdGU', 'follow_preview'],
  ['r_--___', 'follow_preview'],
  ['r_--_zz__', 'start'],
  ['r_politics', 'start'],
  [`r_--___B${'A'.repeat(3_000)}`, 'start'],
  ['follow', 'follow_starters'],
  ['', 'start'],
  ['alert_', 'start'],
  ['alert_x', 'start'],
  ['delete_yes', 'start'],
  ['issue:free:abcdefghijkl', 'start'],
])('the link with ?start=%s opens %s', async (payload, screen) => {
  const visit = await openConversationVisit();
  await visit.fixture.addAlerts();
  expect((await visit.command('start', payload)).name).toBe(screen);
});

test('“I have joined” shows when it was checked, so that every tap changes the message', async () => {
  const visit = await openConversationVisit({
    membershipOf: async () => 'not_member',
    joinAddress: async () => 'https://community.example/join',
  });
  const action = actionOf(await visit.command('key'), 'I have joined');

  const first = plainText(await visit.act(action));
  await visit.fixture.clock.advance(SECOND_MS);
  const second = plainText(await visit.act(action));

  expect(first).toContain('Checked at 00:00:00 UTC');
  expect(second).toBe(first.replace('00:00:00', '00:00:01'));
});
