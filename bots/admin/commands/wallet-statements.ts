import { isHidden, type Statement } from '../../../src/core/alerts/statements/statement-store.ts';
import { counted } from '../../../src/core/base/text/formats.ts';
import { type ActCommand, type Done, done, type Question, type Refusal } from '../command.ts';
import type { ConsoleDeps } from '../console-deps.ts';
import { walletReasonOf } from './statements.ts';

type Act = 'annotate' | 'hide' | 'unhide';

/** An act that states something about a wallet in public. */
interface Stating {
  readonly description: string;
  readonly ask: (wallet: string, reason: string) => Question;
  readonly said: (wallet: string) => string;
}

const PERMANENT = 'The public log gets an entry with the address and the reason, which cannot be removed.';

const ACTS: Readonly<Record<Act, Stating>> = {
  annotate: {
    description: 'Publishes a remark about a wallet in the log, permanently',
    ask: (wallet, reason) => ({
      body: [['Publish this about ', { code: wallet }, '?'], [reason], [PERMANENT, ' Nothing else changes.']],
      yes: 'Publish',
    }),
    said: (wallet) => `The remark about ${wallet} is published.`,
  },
  hide: {
    description: 'Hides a wallet’s address in posts and chat; its alerts stay and are counted',
    ask: (wallet, reason) => ({
      body: [
        ['Hide ', { code: wallet }, '?'],
        [reason],
        [
          'Posts and chat say “a hidden wallet” instead of the address, without a link. Published posts are edited. ',
          'Its alerts stay and are counted; the API and the log still show the address.',
        ],
        [PERMANENT, ' “unhide” shows the address again.'],
      ],
      yes: 'Hide',
    }),
    said: (wallet) => `${wallet} is hidden.`,
  },
  unhide: {
    description: 'Shows a hidden wallet’s address in posts and chat again',
    ask: (wallet, reason) => ({
      body: [
        ['Show ', { code: wallet }, ' in posts and chat again?'],
        [reason],
        ['Published posts are edited. ', PERMANENT],
      ],
      yes: 'Show it',
    }),
    said: (wallet) => `${wallet} is no longer hidden.`,
  },
};

export const annotateCommand = statingCommand('annotate');
export const hideCommand = statingCommand('hide');
export const unhideCommand = statingCommand('unhide');

function statingCommand(name: Act): ActCommand {
  const { description, ask } = ACTS[name];
  return {
    kind: 'act',
    name,
    isIrreversible: true,
    usage: `${name} WALLET REASON`,
    description,
    parse(argument) {
      const parsed = walletReasonOf(argument);
      if ('wrong' in parsed) return parsed;
      const { wallet, reason } = parsed;
      return async (deps) => {
        const before = await deps.statements.ofWallet(wallet);
        if (isNeedless(name, before)) return { act: () => editAgain(deps, wallet, before) };
        return { question: ask(wallet, reason), act: () => make(deps, name, { wallet, reason }) };
      };
    },
  };
}

/** The wallet already is as the command asks. */
function isNeedless(name: Act, before: readonly Statement[]): boolean {
  return name !== 'annotate' && isHidden(before) === (name === 'hide');
}

async function make(
  { statements, posts, clock }: ConsoleDeps,
  kind: Act,
  { wallet, reason }: { readonly wallet: string; readonly reason: string },
): Promise<Done> {
  const { number } = await statements.append({ at: clock.now(), kind, wallet, alertId: null, reason });
  const said = `${ACTS[kind].said(wallet)} Statement ${number}.`;
  if (kind === 'annotate') return done(said);
  return done(`${said} ${counted(await posts.redraw({ wallet, occasion: number }), 'post')} will be edited.`);
}

/** The statement exists, but the process that made it may have died, or lost its database, before all posts were edited. */
async function editAgain(
  { posts }: ConsoleDeps,
  wallet: string,
  before: readonly Statement[],
): Promise<Done | Refusal> {
  const isHiddenNow = isHidden(before);
  const refused = `${wallet} is ${isHiddenNow ? 'hidden already' : 'not hidden'}.`;
  const last = before.findLast(({ kind }) => kind === 'hide' || kind === 'unhide');
  const edits = last === undefined ? 0 : await posts.redraw({ wallet, occasion: last.number });
  return edits === 0 ? { refused } : done(`${refused} ${counted(edits, 'post')} will be edited.`);
}
