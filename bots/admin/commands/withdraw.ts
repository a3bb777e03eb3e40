import type { Withdrawal } from '../../../src/core/chat/withdraw.ts';
import { type ActCommand, done } from '../command.ts';
import { wholeNumber } from '../typed.ts';

export const withdrawCommand: ActCommand = {
  kind: 'act',
  name: 'withdraw',
  isIrreversible: true,
  usage: 'withdraw ALERT_ID',
  description: 'Takes an alert’s posts out of the channels; the alert itself stays',
  parse(argument) {
    const id = wholeNumber(argument, { min: 1, max: Number.MAX_SAFE_INTEGER });
    if (id === null) return { ok: false, wrong: 'ALERT_ID is the number of an alert, for example 1234.' };
    return {
      ok: true,
      work: async ({ posts }) => {
        const found = (await posts.postsShowing(id)).filter(({ state }) => WITHDRAWABLE.has(state));
        if (found.length === 0) return { refused: `Alert ${id} has no post that could be withdrawn.` };
        const where = found.map(({ recipient, state }) => `${recipient} (${state})`).join(', ');
        return {
          question: {
            body: [[`Withdraw the posts of alert ${id}: ${where}? They cannot be put back.`]],
            yes: 'Withdraw',
          },
          async act() {
            const results = await posts.withdraw(id);
            const places = new Map(found.map((post) => [post.id, post.recipient]));
            const words = results
              .map((result) => resultText(result, places.get(result.id) ?? result.id))
              .join('; ');
            const isDone = results.some(({ result }) => result === 'withdrawn');
            if (isDone) return done(`Alert ${id}: ${words}.`);
            return { refused: `Nothing of alert ${id} was withdrawn: ${words === '' ? 'no post' : words}.` };
          },
        };
      },
    };
  },
};

const WITHDRAWABLE: ReadonlySet<string> = new Set(['pending', 'sending', 'sent']);

const RESULTS = {
  withdrawn: 'withdrawn',
  busy: 'is being sent: try again in a minute',
  not_there: 'nothing to take back',
  failed: 'could not be removed',
};

function resultText({ result, detail }: Withdrawal, place: string): string {
  return `${place} ${RESULTS[result]}${detail === null ? '' : ` (${detail})`}`;
}
