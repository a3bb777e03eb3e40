import { expect } from 'vitest';
import type { BotSetup } from '../../../bots/shared/bot-setup.ts';
import type { ChatBot, Community } from '../../../bots/shared/chat-bot.ts';
import type { AdminConsole, Conversation } from '../../../bots/shared/conversation.ts';
import type { LeakGuard } from '../../../bots/shared/create-leak-guard.ts';
import type { FakeClock } from '../clock.ts';
import type { ScriptedConversation } from './scripted-conversation.ts';

/** A screen as a person sees it, without the platform's markup. */
export interface SeenScreen {
  readonly text: string;
  readonly buttons: readonly string[];
}

/** A person with a private chat. Each move resolves with the screen it led to. */
export interface ChatPerson {
  command(name: string, argument?: string): Promise<SeenScreen>;
  tap(label: string): Promise<SeenScreen>;
  type(text: string): Promise<SeenScreen>;
  /** The platform's answer when it is asked whether they are in the community. */
  setMembership(membership: 'member' | 'not_member' | 'error'): void;
}

export interface RigOptions {
  /** Default: the scripted one. */
  readonly conversation?: Conversation;
  readonly console?: AdminConsole;
  readonly leakGuard?: LeakGuard;
  /** Default true. */
  readonly isStarted?: boolean;
}

export type RigCall = 'start' | 'send' | 'edit' | 'remove' | 'member' | 'invitation' | 'setup';

/** How that goes wrong. `lost`: it is done, and the answer does not arrive. `shut out`: the bot is not in the channel. */
export type RigFault =
  | 'server error'
  | 'lost'
  | 'silence'
  | 'flood'
  | 'blocked'
  | 'shut out'
  | 'no right'
  | 'deleted'
  | 'token refused'
  | 'refused';

export const FLOOD_SECONDS = 7;
/** How long the bots wait for an answer: what is silent ends soon, and a loaded machine stands still for less. */
export const ATTEMPT_MS = 2_000;

export interface RigMessage {
  readonly text: string;
  readonly buttons: readonly string[];
  readonly picture: string | null;
  readonly replyTo: string | null;
  readonly isSilent: boolean;
}

export interface RigPerson extends ChatPerson {
  readonly id: string;
  messages(): readonly RigMessage[];
  /** As `command` and `type`, without waiting for the answer. `times`: the platform delivers it so often. */
  send(line: string, times?: number): void;
  /** The newest message with the buttons that it has now: they can be pressed whatever becomes of the message. */
  look(): { press(label: string): void };
}

/** A bot over a stand-in of its platform's wire, in words that are the same for every platform. Closed when the test ends. */
export interface BotRig {
  readonly bot: ChatBot;
  readonly community: Community;
  readonly setup: BotSetup;
  readonly conversation: ScriptedConversation;
  readonly clock: FakeClock;
  readonly log: readonly string[];
  person(name: string): RigPerson;
  operator(): RigPerson;
  /** Someone writes where everybody reads; whether that message is there. `fields` are the platform's, beside the text. */
  publish(text: string, options?: { readonly isEdit?: boolean; readonly fields?: object }): () => boolean;
  inChannel(): readonly RigMessage[];
  fail(call: RigCall, fault: RigFault, times?: number): void;
  calls(call: RigCall): number;
  /** How often the platform was asked for anything at all. */
  allCalls(): number;
}

export type OpenRig = (options?: RigOptions) => Promise<BotRig>;

/** Waits for what comes over the wire, also on a busy machine. */
export function eventually<Value>(look: () => Value) {
  return expect.poll(look);
}
