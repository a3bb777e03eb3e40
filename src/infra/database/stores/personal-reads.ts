import type { PersonalAlertMessage } from '../../../core/chat/chat-message.ts';
import type { PersonalReads } from '../../../core/chat/chat-store.ts';
import { BY_PERSON, type ChatRow, toChatMessage } from './chat-rows.ts';
import type { Collection } from './collection.ts';

const ALERTS = { kind: 'personal_alert' } as const;
const UNLISTED = { ...ALERTS, state: { in: ['folded', 'unknown'] } } as const;
const TOLD = ['personal_alert', 'personal_exit', 'personal_result', 'personal_list'] as const;
export const PERSONAL_KINDS = [...TOLD, 'personal_mark', 'personal_week'] as const;

/** Reads of the messages about people's follows. */
export function createPersonalReads(messages: Collection<ChatRow>): PersonalReads {
  return {
    async dueOf({ recipient, lane, now, limit }) {
      const where = { recipient, lane, state: 'pending', dueAt: { lte: now } } as const;
      const sort = ['-score', 'createdAt', 'id'] as const;
      return (await messages.find({ where, sort, limit })).map(toChatMessage);
    },
    async toldTo({ recipient, since, createdAfter }) {
      const or = [
        { state: 'sent', sentAt: { gte: since } },
        { state: 'unknown', endedAt: { gte: since } },
        { state: 'sending' },
        { state: 'pending', attempts: { gt: 0 } },
      ] as const;
      const where = { ...ALERTS, recipient, createdAt: { gt: createdAfter }, or } as const;
      return (await messages.find({ where, index: BY_PERSON })).map(toPersonalAlert);
    },
    async scoresOf(recipient, createdAfter) {
      const where = { ...ALERTS, recipient, createdAt: { gt: createdAfter } };
      return (await messages.pick(['score'], { where, index: BY_PERSON })).map(({ score }) => score ?? 0);
    },
    async unlisted({ recipient, after, until, limit }) {
      const where = { ...UNLISTED, recipient, endedAt: { gt: after, lte: until } } as const;
      return (await messages.find({ where, sort: ['-score', '-alertId'], limit })).map(toPersonalAlert);
    },
    async lastList(recipient, createdBefore) {
      const state = { notIn: ['dropped', 'failed'] } as const;
      const where = { recipient, kind: 'personal_list', state, createdAt: { lt: createdBefore } } as const;
      const [found] = await messages.find({ where, sort: ['-createdAt'], limit: 1 });
      return found === undefined ? null : toChatMessage(found);
    },
    async personalOfThread({ threadId, limit, after }) {
      const state = { in: ['pending', 'sending', 'sent', 'unknown'] } as const;
      const where = { ...ALERTS, threadId, state } as const;
      return (await messages.find({ where, sort: ['recipient', 'id'], limit, after })).map(toPersonalAlert);
    },
    withUnlisted({ since, limit, after }) {
      const where = { ...UNLISTED, endedAt: { gte: since } } as const;
      const page = { where, sort: ['endedAt', 'id'], limit, after } as const;
      return messages.pick(['recipient', 'endedAt', 'id'], page) as ReturnType<PersonalReads['withUnlisted']>;
    },
    async wasTold(recipient, since) {
      const where = { recipient, kind: { in: TOLD }, sentAt: { gte: since } } as const;
      return (await messages.pick(['id'], { where, limit: 1 })).length > 0;
    },
  };
}

function toPersonalAlert(row: ChatRow): PersonalAlertMessage {
  return toChatMessage(row) as PersonalAlertMessage;
}
