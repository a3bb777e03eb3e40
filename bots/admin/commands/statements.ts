import { isHidden, type Statement } from '../../../src/core/alerts/statements/statement-store.ts';
import { counted, utcMinute } from '../../../src/core/base/text/formats.ts';
import type { Paragraph, Screen } from '../../shared/screen.ts';
import { type ReadCommand, screenOf, type Wrong } from '../command.ts';
import type { ConsoleDeps } from '../console-deps.ts';

export const statementsCommand: ReadCommand = {
  kind: 'read',
  name: 'statements',
  usage: 'statements [WALLET]',
  description: 'Statements about a wallet, newest first; without WALLET, the hidden wallets',
  parse(argument) {
    if (argument === '') return hiddenScreen;
    const wallet = walletOf(argument);
    return typeof wallet === 'string' ? (deps) => walletScreen(deps, wallet) : wallet;
  },
};

async function hiddenScreen({ statements }: ConsoleDeps): Promise<Screen> {
  const wallets = await statements.hiddenWallets();
  if (wallets.length === 0) return screenOf('statements', [['No wallet is hidden.']]);
  const title: Paragraph = [{ bold: counted(wallets.length, 'hidden wallet') }];
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

/** A wallet, and the operator's reason. */
interface WalletReason {
  /** In lower case. */
  readonly wallet: string;
  readonly reason: string;
}

const REASON_LENGTH = { min: 3, max: 280 } as const;
const BAD_WALLET =
  'WALLET is an address: 0x and 40 hexadecimal digits, for example 0x00000000000000000000000000000000000000aa.';
/** Line breaks, control and bidirectional characters, and lone surrogates. */
const NOT_IN_A_LINE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;

/** Parses `WALLET REASON`. */
export function walletReasonOf(argument: string): WalletReason | Wrong {
  const [, first = '', rest = ''] = /^(\S*)\s*(.*)$/s.exec(argument) ?? [];
  const wallet = walletOf(first);
  if (typeof wallet !== 'string') return wallet;
  const reason = reasonOf(rest);
  return typeof reason === 'string' ? { wallet, reason } : reason;
}

/** An address in any case. */
function walletOf(text: string): string | Wrong {
  return /^0x[0-9a-f]{40}$/i.test(text) ? text.toLowerCase() : { wrong: BAD_WALLET };
}

/** Parses a reason, which is published. Its length counts code points. */
export function reasonOf(text: string): string | Wrong {
  const { min, max } = REASON_LENGTH;
  const { length } = [...text];
  if (length < min || length > max)
    return { wrong: `REASON has ${min} to ${max} characters; this one has ${length}.` };
  if (NOT_IN_A_LINE.test(text)) return { wrong: 'REASON is one line of text, without control characters.' };
  return text;
}
