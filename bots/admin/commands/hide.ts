import { hiddenAddresses } from '../../../src/core/alerts/hidden-wallets.ts';
import { counted, utcMinute } from '../../../src/core/base/text/formats.ts';
import { redrawPosts } from '../../../src/core/chat/withdraw.ts';
import type { Screen } from '../../shared/screen.ts';
import {
  type ConsoleCommand,
  type Done,
  done,
  type PlannedAct,
  type Refusal,
  screenOf,
  splitFirst,
  type Wrong,
} from '../command.ts';
import type { ConsoleDeps } from '../console-deps.ts';
import { wrongReason } from './withdraw.ts';

export const hideCommand: ConsoleCommand = {
  isIrreversible: true,
  usage: 'hide [WALLET [off | REASON]]',
  description: 'Hides a wallet’s address, or shows it again (off); without WALLET, the hidden wallets',
  async run(argument, deps) {
    if (argument === '') return hiddenWallets(deps);
    const [first, rest] = splitFirst(argument);
    const wallet = walletOf(first);
    if (wallet === null) return BAD_WALLET;
    const isHidden = (await hiddenAddresses(deps.database.hiddenWallets)).has(wallet);
    if (rest === 'off') return showing(deps, { wallet, isHidden });
    const reason = rest === '' ? null : rest;
    return wrongReason(reason) ?? hiding(deps, { wallet, reason, isHidden });
  },
};

async function hiddenWallets({ database }: ConsoleDeps): Promise<Screen> {
  const rows = await database.hiddenWallets.list();
  if (rows.length === 0) return screenOf('hidden', [['No wallet is hidden.']]);
  return screenOf('hidden', [
    [{ bold: counted(rows.length, 'hidden wallet') }],
    ...rows.map(({ wallet, at, reason }) => [
      { code: wallet },
      ` since ${utcMinute(at)}${reason === null ? '' : `: ${reason}`}`,
    ]),
  ]);
}

function hiding(
  deps: ConsoleDeps,
  { wallet, reason, isHidden }: { wallet: string; reason: string | null; isHidden: boolean },
): PlannedAct {
  const body = [
    ['Hide ', { code: wallet }, '?'],
    [
      'Pages, posts and chat say “a hidden wallet” instead of the address, without a link. Published posts are edited. ',
      'Its alerts stay and are counted; the API and the log still show the address.',
    ],
    [`“hide ${wallet} off” shows the address again.`],
  ];
  return {
    question: isHidden ? undefined : { body, yes: 'Hide' },
    async act() {
      const { at } = await deps.database.hiddenWallets.add({ wallet, reason, at: deps.clock.now() });
      return isHidden
        ? editedAgain(deps, { wallet, occasion: at }, `${wallet} is hidden already.`)
        : edited(deps, { wallet, occasion: at }, `${wallet} is hidden.`);
    },
  };
}

function showing(deps: ConsoleDeps, { wallet, isHidden }: { wallet: string; isHidden: boolean }): PlannedAct {
  const body = [['Show ', { code: wallet }, ' again?'], ['Published posts are edited.']];
  return {
    question: isHidden ? { body, yes: 'Show it' } : undefined,
    async act() {
      await deps.database.hiddenWallets.remove(wallet);
      const change = { wallet, occasion: deps.clock.now() };
      return isHidden
        ? edited(deps, change, `${wallet} is no longer hidden.`)
        : editedAgain(deps, change, `${wallet} is not hidden.`);
    },
  };
}

interface VisibilityChange {
  readonly wallet: string;
  readonly occasion: number;
}

async function edited(deps: ConsoleDeps, change: VisibilityChange, what: string): Promise<Done> {
  return done(`${what} ${counted(await redraw(deps, change), 'post')} will be edited.`);
}

/** The process that changed it may have died, or lost its database, before all posts were edited. */
async function editedAgain(
  deps: ConsoleDeps,
  change: VisibilityChange,
  refused: string,
): Promise<Done | Refusal> {
  const posts = await redraw(deps, change);
  return posts === 0 ? { refused } : done(`${refused} ${counted(posts, 'post')} will be edited.`);
}

function redraw({ database, alerts, clock }: ConsoleDeps, change: VisibilityChange): Promise<number> {
  return redrawPosts({ store: database.chat, alerts, clock }, change);
}

const BAD_WALLET: Wrong = {
  wrong:
    'WALLET is an address: 0x and 40 hexadecimal digits, for example 0x00000000000000000000000000000000000000aa.',
};

/** In lower case, of an address in any case; null for other texts. */
function walletOf(text: string): string | null {
  return /^0x[0-9a-f]{40}$/i.test(text) ? text.toLowerCase() : null;
}
