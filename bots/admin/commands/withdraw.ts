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
  type Wrong,
} from '../command.ts';
import type { ConsoleDeps } from '../console-deps.ts';

const WITHDRAWABLE: ReadonlySet<string> = new Set(['pending', 'sending', 'sent', 'unknown']);

export const withdrawCommand: ConsoleCommand = {
  isIrreversible: true,
  usage: 'withdraw ALERT_ID [REASON]',
  description: 'Deletes an alert’s channel posts and marks it as withdrawn; it keeps its number and counts',
  async run(argument, deps) {
    const [number, text] = splitFirst(argument);
    const id = alertNumber(number);
    if (id === null) return BAD_ALERT_ID;
    const reason = text === '' ? null : text;
    const wrong = wrongReason(reason);
    if (wrong !== null) return wrong;
    const alert = await deps.alerts.byId(id);
    if (alert === null) return { refused: `There is no alert ${id}.` };
    const posts = await messagesShowing(deps.database.chat, id);
    const found = posts.filter(({ state }) => WITHDRAWABLE.has(state));
    if (alert.withdrawn !== null && found.length === 0)
      return { refused: `Alert ${id} is withdrawn already, and no post of it is left.` };
    const wish = { id, reason };
    const names = new Map(found.map((message) => [message.id, nameOf(message)]));
    return {
      question: { body: questionOf(wish, found), yes: 'Withdraw' },
      act: () => (found.length === 0 ? mark(deps, wish, 'no post') : withdraw(deps, wish, names)),
    };
  },
};

interface Wish {
  readonly id: number;
  readonly reason: string | null;
}

function questionOf({ id, reason }: Wish, posts: readonly ChatMessage[]): readonly [string][] {
  const where = posts.map((message) => `${nameOf(message)} (${message.state})`).join(', ');
  const why = reason === null ? 'without a reason.' : `with this reason: ${reason}`;
  return [
    [
      posts.length === 0
        ? `Withdraw alert ${id}? It has no post.`
        : `Withdraw alert ${id} and its posts: ${where}?`,
    ],
    [`This cannot be undone. Its page, lists, feeds and chat mark it as withdrawn, ${why}`],
  ];
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
  return mark(deps, wish, words);
}

/** After the posts: after a fault in between, the same command finds none, and marks the alert. */
async function mark(
  { markWithdrawn, clock }: ConsoleDeps,
  { id, reason }: Wish,
  words: string,
): Promise<Done> {
  await markWithdrawn({ alertId: id, at: clock.now(), reason });
  return done(`Alert ${id} is withdrawn: ${words}.`);
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

const REASON_LENGTH = { min: 3, max: 280 } as const;
/** Line breaks, control and bidirectional characters, and lone surrogates. */
const NOT_IN_A_LINE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;

/** What is wrong with a reason; its length counts code points. */
export function wrongReason(reason: string | null): Wrong | null {
  if (reason === null) return null;
  const { min, max } = REASON_LENGTH;
  const { length } = [...reason];
  if (length < min || length > max)
    return { wrong: `REASON has ${min} to ${max} characters; this one has ${length}.` };
  return NOT_IN_A_LINE.test(reason)
    ? { wrong: 'REASON is one line of text, without control characters.' }
    : null;
}
