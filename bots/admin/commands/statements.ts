import { utcMinute } from '../../../src/core/alerts/alert-words.ts';
import { isHidden } from '../../../src/core/statements/hidden-wallet.ts';
import type { Statement } from '../../../src/core/statements/statement-store.ts';
import type { Paragraph, Screen } from '../../shared/screen.ts';
import { type ReadCommand, screenOf } from '../command.ts';
import type { ConsoleDeps } from '../console-deps.ts';
import { walletOf } from '../statement-words.ts';

export const statementsCommand: ReadCommand = {
  kind: 'read',
  name: 'statements',
  usage: 'statements [WALLET]',
  description: 'Statements about a wallet, newest first; without WALLET, the hidden wallets',
  parse(argument) {
    if (argument === '') return { ok: true, work: hiddenScreen };
    const wallet = walletOf(argument);
    if (!wallet.ok) return wallet;
    return { ok: true, work: (deps) => walletScreen(deps, wallet.work) };
  },
};

async function hiddenScreen({ statements }: ConsoleDeps): Promise<Screen> {
  const wallets = await statements.hiddenWallets();
  if (wallets.length === 0) return screenOf('statements', [['No wallet is hidden.']]);
  const title: Paragraph = [
    { bold: wallets.length === 1 ? '1 hidden wallet' : `${wallets.length} hidden wallets` },
  ];
  return screenOf('statements', [title, ...wallets.map((wallet) => [{ code: wallet }])]);
}

async function walletScreen({ statements }: ConsoleDeps, wallet: string): Promise<Screen> {
  const made = await statements.ofWallet(wallet);
  const title: Paragraph = [{ code: wallet }, isHidden(made) ? ' is hidden' : ' is not hidden'];
  const entries = made.toReversed().map(statementParagraph);
  return screenOf('statements', [title, ...(entries.length === 0 ? [['No statements.']] : entries)]);
}

/** `#3 2026-11-21 20:15 UTC hide: reason`. */
export function statementParagraph({ number, at, kind, reason }: Statement): Paragraph {
  return [`#${number} ${utcMinute(at)} `, { bold: kind }, `: ${reason ?? 'no reason'}`];
}
