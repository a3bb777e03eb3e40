import type { Socket } from 'node:net';
import type { KeyAdmission, KeyCheck } from '../../core/keys/key-check.ts';
import { policyOf } from '../../core/keys/policy-of.ts';
import type { Caller } from './caller.ts';

/**
 * Whom each open connection's last key let in, so that a client that keeps its connection is not looked up with every
 * request. Forgotten with the connection.
 */
export function createConnectionAuthCache({ keyCheck }: { readonly keyCheck: Pick<KeyCheck, 'holds'> }) {
  const last = new WeakMap<Socket, { text: string; admission: KeyAdmission; caller: Caller }>();
  return {
    /** The caller when the connection sends the same text again and the check still holds; null otherwise. */
    recall(socket: Socket, text: string): Caller | null {
      const known = last.get(socket);
      if (known === undefined || known.text !== text) return null;
      return keyCheck.holds(known.admission) ? known.caller : null;
    },
    remember(socket: Socket, text: string, admission: KeyAdmission): Caller {
      const { key, tier, lookup } = admission;
      const caller = { key, tier, lookup, policy: policyOf(key, tier) };
      last.set(socket, { text, admission, caller });
      return caller;
    },
  };
}
