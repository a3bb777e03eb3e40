import type { Messenger } from '../../../src/core/chat/messenger.ts';

/** The process dies at the call of this number, which is still carried out, or not. */
export interface Kill {
  readonly after: number;
  readonly isLastDone: boolean;
}

/**
 * A process that is killed in the middle: the calls of its stores count, and so do those of its platforms. From the kill on
 * no call returns, and none is carried out.
 */
export function createKillableProcess(kill: Kill | null, onKilled: () => void) {
  let calls = 0;

  async function run<Answer>(call: () => Promise<Answer>): Promise<Answer> {
    calls += 1;
    if (kill === null || calls < kill.after) {
      const answer = await call();
      // Killed meanwhile by another call.
      return kill !== null && calls >= kill.after ? never() : answer;
    }
    if (calls > kill.after) return never();
    if (kill.isLastDone) await call();
    onKilled();
    return never();
  }

  return {
    store<Store extends object>(store: Store): Store {
      return new Proxy(store, {
        get(target, name, receiver) {
          const method: unknown = Reflect.get(target, name, receiver);
          if (typeof method !== 'function') return method;
          return (...args: unknown[]) => run(() => method.apply(target, args) as Promise<unknown>);
        },
      });
    },
    platform<View>(messenger: Messenger<View>): Messenger<View> {
      return {
        ...(messenger.deduplicatesForMs === undefined
          ? {}
          : { deduplicatesForMs: messenger.deduplicatesForMs }),
        send: (...args) => run(() => messenger.send(...args)),
        edit: (...args) => run(() => messenger.edit(...args)),
        reply: (...args) => run(() => messenger.reply(...args)),
        remove: (...args) => run(() => messenger.remove(...args)),
      };
    },
  };
}

function never(): Promise<never> {
  return new Promise<never>(() => {});
}
