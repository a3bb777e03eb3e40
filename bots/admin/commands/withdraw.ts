import { isWithdrawalStated } from '../../../src/core/alerts/statements/statement-store.ts';
import type { ChatMessage } from '../../../src/core/chat/chat-message.ts';
import type { Withdrawal } from '../../../src/core/chat/withdraw.ts';
import { type ActCommand, type Done, done, type Plan, type Refusal } from '../command.ts';
import type { ConsoleDeps } from '../console-deps.ts';
import { wholeNumber } from '../parse-arguments.ts';
import { reasonOf } from './statements.ts';

export const withdrawCommand: ActCommand = {
  kind: 'act',
  name: 'withdraw',
  isIrreversible: true,
  usage: 'withdraw ALERT_ID [REASON]',
  description: 'Deletes an alert’s channel posts and records it in the public log; the alert itself stays',
  parse(argument) {
    const [, number = '', text = ''] = /^(\S*)\s*(.*)$/s.exec(argument) ?? [];
    const id = wholeNumber(number, { min: 1, max: Number.MAX_SAFE_INTEGER });
    if (id === null) return { wrong: 'ALERT_ID is the number of an alert, for example 1234.' };
    const reason = text === '' ? null : reasonOf(text);
    if (reason !== null && typeof reason !== 'string') return reason;
    return (deps) => plan(deps, { id, reason });
  },
};

interface Wish {
  readonly id: number;
  readonly reason: string | null;
}

async function plan(deps: ConsoleDeps, wish: Wish): Promise<Plan> {
  const { id, reason } = wish;
  const posts = await deps.posts.messagesShowing(id);
  const found = posts.filter(({ state }) => WITHDRAWABLE.has(state));
  if (found.length === 0) {
    // The process may have died, or lost its database, between the two.
    const isUnstated =
      posts.some(({ state }) => state === 'withdrawn') && !(await isWithdrawalStated(deps.statements, id));
    return isUnstated
      ? { act: () => stateWithdrawal(deps, wish, `Alert ${id}: withdrawn before`) }
      : { refused: `Alert ${id} has no post that could be withdrawn.` };
  }
  const messageRefs = new Map(found.map((message) => [message.id, nameOf(message)]));
  const where = found.map(({ id: ref, state }) => `${messageRefs.get(ref)} (${state})`).join(', ');
  return {
    // Only a bot can delete what is out.
    needs: found.some(({ state }) => state === 'sent') ? 'bots' : null,
    question: {
      body: [
        [`Withdraw the posts of alert ${id}: ${where}? They cannot be put back.`],
        [
          `The public log gets a permanent entry ${reason === null ? 'without a reason.' : `with this reason: ${reason}`}`,
        ],
      ],
      yes: 'Withdraw',
    },
    act: () => withdraw(deps, wish, messageRefs),
  };
}

async function withdraw(
  deps: ConsoleDeps,
  wish: Wish,
  messageRefs: ReadonlyMap<string, string>,
): Promise<Done | Refusal> {
  const results = await deps.posts.withdraw(wish.id);
  const words = results
    .map((result) => resultText(result, messageRefs.get(result.id) ?? result.id))
    .join('; ');
  if (results.some(({ result }) => result === 'withdrawn' || result === 'unknown')) {
    const what = `Alert ${wish.id}: ${words}`;
    // A repetition that removes the rest states nothing new.
    if (await isWithdrawalStated(deps.statements, wish.id)) return done(`${what}.`);
    return stateWithdrawal(deps, wish, what);
  }
  return { refused: `Nothing of alert ${wish.id} was withdrawn: ${words === '' ? 'no post' : words}.` };
}

async function stateWithdrawal(
  { statements, clock }: ConsoleDeps,
  { id, reason }: Wish,
  words: string,
): Promise<Done> {
  const what = { kind: 'withdraw', wallet: null, alertId: id, reason } as const;
  const { number } = await statements.append({ at: clock.now(), ...what });
  return done(`${words}. Statement ${number}.`);
}

const WITHDRAWABLE: ReadonlySet<string> = new Set(['pending', 'sending', 'sent', 'unknown']);

const RESULTS = {
  withdrawn: 'withdrawn',
  unknown: 'may be there, as its outcome is unknown: look in the channel, and delete it there',
  busy: 'is being sent: try again in a minute',
  not_there: 'nothing to take back',
  failed: 'could not be removed, repeat the command for it',
};

function nameOf({ recipient, kind }: ChatMessage): string {
  return kind === 'alert' ? recipient : `an answer in ${recipient}`;
}

function resultText({ result, detail }: Withdrawal, messageRef: string): string {
  return `${messageRef} ${RESULTS[result]}${detail === null ? '' : ` (${detail})`}`;
}
