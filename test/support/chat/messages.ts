import { DAY_MS, type EpochMs } from '../../../src/core/base/time/duration.ts';
import {
  type Channel,
  type ChatFacts,
  type NewChatMessage,
  personalAlertId,
  type Recipient,
} from '../../../src/core/chat/chat-message.ts';
import type { DigestChanges } from '../../../src/core/chat/digest-facts.ts';
import { START } from '../rows.ts';

/** A post of an alert, by default the first of its thread and due at the start. */
export function postOf(
  alertId: number,
  given: { channel?: Channel; dueAt?: EpochMs; marketId?: string; threadId?: number; score?: number } = {},
): NewChatMessage {
  const { channel = 'telegram', dueAt = START, marketId = '0xm1', threadId = alertId, score = 0 } = given;
  return {
    id: `alert:${alertId}@${channel}`,
    recipient: `channel:${channel}`,
    kind: 'alert',
    facts: { alertId, marketId, threadId, score },
    createdAt: dueAt,
    dueAt,
  };
}

/** A note for one person, by default due at the start. */
export function noteFor(recipient: Recipient, given: { id?: string; dueAt?: EpochMs } = {}): NewChatMessage {
  const { id = `note:${recipient}`, dueAt = START } = given;
  return { id, recipient, kind: 'operator_note', facts: { text: 'Hello.' }, createdAt: dueAt, dueAt };
}

/** Nothing was settled or sold since the digest before. */
export const NO_CHANGES: DigestChanges = {
  ...{ won: 0, lost: 0, profitUsdc: 0 },
  ...{ settled: [], exits: [], moreExits: 0 },
};

/** The digest of a UTC day without alerts, due at the end of that day. */
export function digestOf(dayStart: EpochMs): NewChatMessage {
  const day = new Date(dayStart).toISOString().slice(0, 10);
  const record = { resolved: 0, markets: 0, won: 0, averageEntry: null };
  const dueAt = dayStart + DAY_MS;
  return {
    id: `digest:${day}@telegram`,
    recipient: 'channel:telegram',
    kind: 'daily_digest',
    facts: { day, bets: 0, byType: {}, changes: NO_CHANGES, record },
    createdAt: dueAt,
    dueAt,
  };
}

/** An alert for one person, by default in real time on Telegram and due at the start. */
export function personalOf(
  alertId: number,
  customerId: string,
  given: Partial<ChatFacts['personal_alert']> & { dueAt?: EpochMs } = {},
): NewChatMessage & { readonly kind: 'personal_alert' } {
  const { dueAt = START, ...facts } = given;
  return {
    id: personalAlertId(alertId, customerId),
    recipient: `customer:${customerId}`,
    kind: 'personal_alert',
    facts: {
      ...{ alertId, threadId: alertId, marketId: '0xm1', score: 0, isFollow: false },
      ...{ wallet: '0x00000000000000000000000000000000000000aa', followIds: ['a1'], followNames: ['Mine'] },
      ...{ platform: 'telegram', isRealtime: true },
      ...facts,
    },
    createdAt: dueAt,
    dueAt,
  };
}
