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
        const found = (await posts.postsOf(id)).filter(({ state }) => WITHDRAWABLE.has(state));
        if (found.length === 0) return { refused: `Alert ${id} has no post that could be withdrawn.` };
        const where = found.map(({ recipient, state }) => `${recipient} (${state})`).join(', ');
        return {
          question: {
            body: [[`Withdraw the posts of alert ${id}: ${where}? They cannot be put back.`]],
            yes: 'Withdraw',
          },
          async act() {
            const count = await posts.withdraw(id);
            if (count === 0) return { refused: `Alert ${id} has no post that could be withdrawn any more.` };
            const words = count === 1 ? '1 post' : `${count} posts`;
            return done(`${words} of alert ${id} withdrawn; the channels lose them within seconds.`);
          },
        };
      },
    };
  },
};

const WITHDRAWABLE: ReadonlySet<string> = new Set(['pending', 'sending', 'sent']);
