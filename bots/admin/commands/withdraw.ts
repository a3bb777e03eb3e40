import { isWithdrawalStated } from '../../../src/core/alerts/statements/statement-store.ts';
import type { ChatMessage } from '../../../src/core/chat/chat-message.ts';
import { messagesShowing, type Withdrawal } from '../../../src/core/chat/withdraw.ts';
import {
  alertNumber,
  BAD_ALERT_ID,
  type ConsoleCommand,
  type Done,
  done,
  type Refusal,
  splitFirst,
} from '../command.ts';
import type { ConsoleDeps } from '../console-deps.ts';
import { wrongReason } from './statements.ts';

const WITHDRAWABLE: ReadonlySet<string> = new Set(['pending', 'sending', 'sent', 'unknown']);

export const withdrawCommand: ConsoleCommand = {
  isIrreversible: true,
  usage: 'withdraw ALERT_ID [REASON]',
  description: 'Deletes an alert’s channel posts and records it in the public log; the alert itself stays',
  async run(argument, deps) {
    const [number, text] = splitFirst(argument);
    const id = alertNumber(number);
    if (id === null) return BAD_ALERT_ID;
    const wrong = text === '' ? null : wrongReason(text);
    if (wrong !== null) return wrong;
    const wish = { id, reason: text === '' ? null : text };
    const posts = await messagesShowing(deps.database.chat, id);
    const found = posts.filter(({ state }) => WITHDRAWABLE.has(state));
    if (found.length === 0) {
      // The process may have died, or lost its database, between the two.
      const isUnstated = posts.some(({ state }) => state === 'withdrawn') && !(await isStated(deps, id));
      return isUnstated
        ? { act: () => stateWithdrawal(deps, wish, `Alert ${id}: withdrawn before`) }
        : { refused: `Alert ${id} has no post that could be withdrawn.` };
    }
    const names = new Map(found.map((message) => [message.id, nameOf(message)]));
    const where = found.map((message) => `${nameOf(message)} (${message.state})`).join(', ');
    const why = text === '' ? 'without a reason.' : `with this reason: ${text}`;
    const body = [
      [`Withdraw the posts of alert ${id}: ${where}? They cannot be put back.`],
      [`The public log gets a permanent entry ${why}`],
    ];
    return {
      // Only a bot can delete what is out.
      needs: found.some(({ state }) => state === 'sent') ? 'bots' : undefined,
      question: { body, yes: 'Withdraw' },
      act: () => withdraw(deps, wish, names),
    };
  },
};

interface Wish {
  readonly id: number;
  readonly reason: string | null;
}

async function withdraw(
  deps: ConsoleDeps,
  wish: Wish,
  names: ReadonlyMap<string, string>,
): Promise<Done | Refusal> {
  const results = await deps.withdraw(wish.id);
  const words = results.map((result) => resultText(result, names.get(result.id) ?? result.id)).join('; ');
  if (!results.some(({ result }) => result === 'withdrawn' || result === 'unknown'))
    return { refused: `Nothing of alert ${wish.id} was withdrawn: ${words === '' ? 'no post' : words}.` };
  const what = `Alert ${wish.id}: ${words}`;
  // A repetition that removes the rest states nothing new.
  return (await isStated(deps, wish.id)) ? done(`${what}.`) : stateWithdrawal(deps, wish, what);
}

function isStated({ database }: ConsoleDeps, alertId: number): Promise<boolean> {
  return isWithdrawalStated(database.statements, alertId);
}

async function stateWithdrawal(
  { database, clock }: ConsoleDeps,
  { id: alertId, reason }: Wish,
  words: string,
): Promise<Done> {
  const statement = { at: clock.now(), kind: 'withdraw', wallet: null, alertId, reason } as const;
  const { number } = await database.statements.append(statement);
  return done(`${words}. Statement ${number}.`);
}

function nameOf({ recipient, kind }: ChatMessage): string {
  return kind === 'alert' ? recipient : `a reply in ${recipient}`;
}

const RESULTS = {
  withdrawn: 'withdrawn',
  unknown: 'may be there, as its outcome is unknown: look in the channel, and delete it there',
  busy: 'is being sent: try again in a minute',
  not_there: 'nothing to take back',
  failed: 'could not be removed, repeat the command for it',
};

function resultText({ result, detail }: Withdrawal, name: string): string {
  return `${name} ${RESULTS[result]}${detail === null ? '' : ` (${detail})`}`;
}
