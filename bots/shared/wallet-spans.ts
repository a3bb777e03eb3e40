import { walletAddress } from '../../src/core/alerts/alert-words.ts';
import type { TextSpan } from './screen.ts';

/** A wallet as a link to its page, or without its address while it is hidden. */
export function walletSpans(
  label: string,
  { wallet, text, isHidden }: { readonly wallet: string; readonly text: string; readonly isHidden: boolean },
): readonly TextSpan[] {
  return isHidden ? [`${label}: a hidden wallet`] : [`${label} `, { link: walletAddress(wallet), text }];
}
