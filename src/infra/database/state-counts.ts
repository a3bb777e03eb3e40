import { CHAT_STATES, type ChatState } from '../../core/chat/chat-message.ts';

/** Counts of a query that names only the states it found, every state named. */
export function everyState(
  found: readonly { readonly state: ChatState; readonly held: number }[],
): Readonly<Record<ChatState, number>> {
  const held = new Map(found.map((row) => [row.state, row.held]));
  const entries = CHAT_STATES.map((state) => [state, held.get(state) ?? 0]);
  return Object.fromEntries(entries) as Record<ChatState, number>;
}
