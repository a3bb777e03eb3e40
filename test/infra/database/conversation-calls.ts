import { START } from '../../support/rows.ts';
import type { Calls } from './store-calls.ts';

const PERSON = { platform: 'telegram', userId: '1' } as const;
const QUESTION = { ...PERSON, action: 'rename_to:key_a', expiresAt: START };
const TIMES = { createdAt: START, dueAt: START, attempts: 0 };
const KEY_MESSAGE = { bot: 'telegram', messageRef: '1:2', request: 'request', ...TIMES } as const;

/** Every method of the stores of conversations, as in `CALLS`. */
export const CONVERSATION_CALLS: Pick<Calls, 'keyMessages' | 'questions'> = {
  keyMessages: {
    add: (messages) => messages.add(KEY_MESSAGE),
    next: (messages) => messages.next('telegram', 10),
    ofRequest: (messages) => messages.ofRequest('telegram', 'request'),
    postpone: (messages) => messages.postpone(KEY_MESSAGE, START),
    remove: (messages) => messages.remove(KEY_MESSAGE),
    inChats: (messages) => messages.inChats(['1', '2']),
    removeInChats: (messages) => messages.removeInChats(['1', '2']),
  },
  questions: {
    get: (questions) => questions.get(PERSON),
    prune: (questions) => questions.prune(START),
    put: (questions) => questions.put(QUESTION),
    remove: (questions) => questions.remove(PERSON),
  },
};
