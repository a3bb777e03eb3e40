import { expect } from 'vitest';
import type { ChatChange, ChatStore } from '../../../src/core/chat/chat-store.ts';
import { START } from '../../support/rows.ts';

export const OWNER = 'host/1/a';
export const SENT = { state: 'sent', place: '77', at: START + 5 } as const;

export const ids = (messages: readonly { readonly id: string }[]) => messages.map(({ id }) => id);

export async function end(chat: ChatStore, id: string, change: ChatChange): Promise<void> {
  expect(await chat.claim(id, { owner: OWNER, at: START })).toBe(true);
  expect(await chat.finish(id, OWNER, change)).toBe(true);
}

/** Ends a pending post that is not among those of its day. */
export async function fold(chat: ChatStore, id: string, at: number): Promise<void> {
  expect(await chat.giveUp(id, { state: 'folded', error: null, at })).toBe(true);
}
