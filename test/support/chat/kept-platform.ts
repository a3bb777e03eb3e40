import type { Clock } from '../../../src/core/base/time/clock.ts';
import { MINUTE_MS } from '../../../src/core/base/time/duration.ts';
import type { Messenger, SendResult } from '../../../src/core/chat/messenger.ts';
import { later, refusal, UNKNOWN } from './scripted-messenger.ts';

/**
 * `done 500` and `lost`: it is done, and the answer does not say so. `dies`: it is done, and there is no answer any more.
 * `cannot edit` is for edits; a post is taken.
 */
export type PlatformAnswer =
  | 'ok'
  | 'done 500'
  | 'lost'
  | 'dies'
  | 'later'
  | 'much later'
  | 'refused'
  | 'gone'
  | 'cannot edit';

interface KeptPlatformOptions {
  readonly clock: Pick<Clock, 'now'>;
  readonly answer: () => PlatformAnswer | SendResult;
  /** Within it a message of a known nonce is answered with the one that is there. 0: nothing is recognised. */
  readonly deduplicatesForMs: number;
}

/** A platform that keeps what it is given. Views are the ids of messages. `gone`: what is edited or answered was deleted. */
export function createKeptPlatform({ clock, answer, deduplicatesForMs }: KeptPlatformOptions) {
  const there: string[] = [];
  const shown = new Map<string, string>();
  const nonces = new Map<string, { readonly at: number; readonly place: string }>();

  function post(view: string, nonce: string): SendResult | Promise<never> {
    const next = answer();
    if (typeof next === 'object') return next;
    if (next === 'later') return later(3_000);
    if (next === 'much later') return later(150_000);
    if (next === 'refused' || next === 'gone') return refusal(next);
    const seen = nonces.get(nonce);
    const isKnown = seen !== undefined && clock.now() - seen.at < deduplicatesForMs;
    const place = isKnown ? seen.place : view;
    if (!isKnown) {
      there.push(view);
      nonces.set(nonce, { at: clock.now(), place });
      shown.set(place, view);
    }
    if (next === 'dies') return new Promise<never>(() => {});
    return next === 'done 500' || next === 'lost' ? UNKNOWN : { ok: true, place };
  }

  function remove(place: string): void {
    const index = there.indexOf(place);
    if (index !== -1) there.splice(index, 1);
  }

  const messenger: Messenger<string> = {
    deduplicatesForMs,
    send: async (_to, view, _signal, nonce = view) => post(view, nonce),
    async reply(place, view, _signal, nonce = view) {
      const result = await post(view, nonce);
      if (!result.ok && result.reason === 'gone') remove(place);
      if (result.ok) shown.set(place, view);
      return result;
    },
    async edit(place, view) {
      const next = answer();
      if (next === 'cannot edit' || next === 'refused') return refusal('refused');
      if (next === 'gone') {
        remove(place);
        return refusal('gone');
      }
      if (next !== 'ok') return later(1_000);
      shown.set(place, view);
      return { ok: true, place };
    },
    remove: async (place) => ({ ok: true, place }),
  };
  return {
    messenger,
    /** Ids of the messages that are there, one for each time. */
    there,
    /** What the message at a place shows, or the last answer to it. */
    shown,
  };
}

/** Both platforms, of which Discord recognises what it was given before. They answer as the script says, and then `ok`. */
export function createKeptPlatforms(clock: Pick<Clock, 'now'>, script: readonly PlatformAnswer[] = []) {
  const left = [...script];
  const given = { clock, answer: () => left.shift() ?? 'ok' };
  const telegram = createKeptPlatform({ ...given, deduplicatesForMs: 0 });
  const discord = createKeptPlatform({ ...given, deduplicatesForMs: 2 * MINUTE_MS });
  return {
    telegram,
    discord,
    /** The messages that are there. */
    there: () => [...telegram.there, ...discord.there],
    messengers: (wrap: (messenger: Messenger<string>, name: string) => Messenger<string>) => ({
      telegram: wrap(telegram.messenger, 'telegram'),
      discord: wrap(discord.messenger, 'discord'),
    }),
  };
}
