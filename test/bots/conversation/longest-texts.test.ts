import { describe, expect, test } from 'vitest';
import { toMessage } from '../../../bots/discord/screen-message.ts';
import { plainText } from '../../../bots/shared/screen.ts';
import { MINUTE_MS } from '../../../src/core/base/time/duration.ts';
import { alertOf } from '../../support/alerts.ts';
import { type ConversationVisit, openConversationVisit } from '../../support/chat/conversation-visit.ts';
import { START } from '../../support/rows.ts';

const ID = 1;

/** Five clusters with the longest texts, which consist of one sign. */
async function openWithLongest(sign: string, length: number): Promise<ConversationVisit> {
  const visit = await openConversationVisit();
  const { details } = alertOf({ id: 1 });
  const reasons = Array.from({ length: 7 }, () => ({ ...details.reasons[0], note: 'x'.repeat(50) }));
  const wallets = Array.from({ length: 40 }, (_, index) => `0x${String(index).padStart(40, '0')}`);
  for (let number = 0; number < 5; number += 1) {
    await visit.fixture.database.alerts.append({
      ...alertOf({ id: ID + number, createdAt: START - 10 * MINUTE_MS, marketId: `0xm${number}` }),
      ...{ type: 'cluster', eventTitle: sign.repeat(length), eventSlug: 's'.repeat(length / 2) },
      outcome: sign.repeat(length),
      details: { ...details, wallets, clusterTotal: 123_456_789, reasons: reasons as never },
    });
  }
  return visit;
}

describe('screens with the longest titles, outcomes and numbers', () => {
  test('are whole on Discord with long titles: nothing of an alert or of the list is cut off', async () => {
    const visit = await openWithLongest('W', 200);
    for (const [name, argument] of [
      ['alert', String(ID)],
      ['alerts', ''],
    ] as const) {
      const screen = await visit.command(name, argument);
      const [last] = plainText(screen).split('\n').slice(-1);
      expect(toMessage(screen).content, name).not.toMatch(/ …$/);
      expect(last, name).toMatch(/35 more|… and 1 more/);
    }
  });
});
