import type { Parsed } from './command.ts';

/** A wallet, and the operator's reason. */
export interface WalletReason {
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
export function walletReasonOf(argument: string): Parsed<WalletReason> {
  const [, first = '', rest = ''] = /^(\S*)\s*(.*)$/s.exec(argument) ?? [];
  const wallet = walletOf(first);
  if (!wallet.ok) return wallet;
  const reason = reasonOf(rest);
  return reason.ok ? { ok: true, work: { wallet: wallet.work, reason: reason.work } } : reason;
}

/** An address in any case. */
export function walletOf(text: string): Parsed<string> {
  return /^0x[0-9a-f]{40}$/i.test(text)
    ? { ok: true, work: text.toLowerCase() }
    : { ok: false, wrong: BAD_WALLET };
}

/** Parses a reason, which is published. Its length counts code points. */
export function reasonOf(text: string): Parsed<string> {
  const { min, max } = REASON_LENGTH;
  const { length } = [...text];
  if (length < min || length > max) {
    return { ok: false, wrong: `REASON has ${min} to ${max} characters; this one has ${length}.` };
  }
  if (NOT_IN_A_LINE.test(text)) {
    return { ok: false, wrong: 'REASON is one line of text, without control characters.' };
  }
  return { ok: true, work: text };
}
