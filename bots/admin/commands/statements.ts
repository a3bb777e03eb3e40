import { isHidden, type Statement } from '../../../src/core/alerts/statements/statement-store.ts';
import { counted, utcMinute } from '../../../src/core/base/text/formats.ts';
import { redrawPosts } from '../../../src/core/chat/withdraw.ts';
import type { Paragraph } from '../../shared/screen.ts';
import {
  type ConsoleCommand,
  type Done,
  done,
  type Question,
  type Refusal,
  screenOf,
  splitFirst,
  type Wrong,
} from '../command.ts';
import type { ConsoleDeps } from '../console-deps.ts';

export const statementsCommand: ConsoleCommand = {
  usage: 'statements [WALLET]',
  description: 'Statements about a wallet, newest first; without WALLET, the hidden wallets',
  async run(argument, { database: { statements } }) {
    if (argument === '') {
      const wallets = await statements.hiddenWallets();
      if (wallets.length === 0) return screenOf('statements', [['No wallet is hidden.']]);
      const title: Paragraph = [{ bold: counted(wallets.length, 'hidden wallet') }];
      return screenOf('statements', [title, ...wallets.map((wallet) => [{ code: wallet }])]);
    }
    const wallet = walletOf(argument);
    if (wallet === null) return BAD_WALLET;
    const made = await statements.ofWallet(wallet);
    const title: Paragraph = [{ code: wallet }, isHidden(made) ? ' is hidden' : ' is not hidden'];
    const entries = made.toReversed().map(statementParagraph);
    return screenOf('statements', [title, ...(entries.length === 0 ? [['No statements.']] : entries)]);
  },
};

/** `#3 2026-11-21 20:15 UTC hide: reason`. */
export function statementParagraph({ number, at, kind, reason }: Statement): Paragraph {
  return [`#${number} ${utcMinute(at)} `, { bold: kind }, `: ${reason ?? 'no reason'}`];
}

const PERMANENT = 'The public log gets an entry with the address and the reason, which cannot be removed.';

export const annotateCommand = statingCommand('annotate', {
  description: 'Publishes a remark about a wallet in the log, permanently',
  ask: (wallet, reason) => ({
    body: [['Publish this about ', { code: wallet }, '?'], [reason], [PERMANENT, ' Nothing else changes.']],
    yes: 'Publish',
  }),
  said: (wallet) => `The remark about ${wallet} is published.`,
});

export const hideCommand = statingCommand('hide', {
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
});

export const unhideCommand = statingCommand('unhide', {
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
});

interface Stating {
  readonly description: string;
  readonly ask: (wallet: string, reason: string) => Question;
  readonly said: (wallet: string) => string;
}

function statingCommand(
  kind: 'annotate' | 'hide' | 'unhide',
  { description, ask, said }: Stating,
): ConsoleCommand {
  return {
    isIrreversible: true,
    usage: `${kind} WALLET REASON`,
    description,
    async run(argument, deps) {
      const [first, reason] = splitFirst(argument);
      const wallet = walletOf(first);
      if (wallet === null) return BAD_WALLET;
      const wrong = wrongReason(reason);
      if (wrong !== null) return wrong;
      const { statements } = deps.database;
      const before = await statements.ofWallet(wallet);
      const isSoAlready = kind !== 'annotate' && isHidden(before) === (kind === 'hide');
      if (isSoAlready) return { act: () => editAgain(deps, wallet, before) };
      return {
        question: ask(wallet, reason),
        async act() {
          const at = deps.clock.now();
          const { number } = await statements.append({ at, kind, wallet, alertId: null, reason });
          const stated = `${said(wallet)} Statement ${number}.`;
          if (kind === 'annotate') return done(stated);
          return done(`${stated} ${editedWords(await redraw(deps, wallet, number))}`);
        },
      };
    },
  };
}

/** The statement exists, but the process that made it may have died, or lost its database, before all posts were edited. */
async function editAgain(
  deps: ConsoleDeps,
  wallet: string,
  before: readonly Statement[],
): Promise<Done | Refusal> {
  const refused = `${wallet} is ${isHidden(before) ? 'hidden already' : 'not hidden'}.`;
  const last = before.findLast(({ kind }) => kind === 'hide' || kind === 'unhide');
  const edits = last === undefined ? 0 : await redraw(deps, wallet, last.number);
  return edits === 0 ? { refused } : done(`${refused} ${editedWords(edits)}`);
}

function redraw({ database, alerts, clock }: ConsoleDeps, wallet: string, occasion: number): Promise<number> {
  return redrawPosts({ store: database.chat, alerts, clock }, { wallet, occasion });
}

function editedWords(posts: number): string {
  return `${counted(posts, 'post')} will be edited.`;
}

const BAD_WALLET: Wrong = {
  wrong:
    'WALLET is an address: 0x and 40 hexadecimal digits, for example 0x00000000000000000000000000000000000000aa.',
};

/** In lower case, of an address in any case; null for other texts. */
function walletOf(text: string): string | null {
  return /^0x[0-9a-f]{40}$/i.test(text) ? text.toLowerCase() : null;
}

const REASON_LENGTH = { min: 3, max: 280 } as const;
/** Line breaks, control and bidirectional characters, and lone surrogates. */
const NOT_IN_A_LINE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;

/** What is wrong with a reason, which is published. Its length counts code points. */
export function wrongReason(text: string): Wrong | null {
  const { min, max } = REASON_LENGTH;
  const { length } = [...text];
  if (length < min || length > max)
    return { wrong: `REASON has ${min} to ${max} characters; this one has ${length}.` };
  return NOT_IN_A_LINE.test(text)
    ? { wrong: 'REASON is one line of text, without control characters.' }
    : null;
}
