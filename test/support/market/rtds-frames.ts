import type { EpochMs } from '../../../src/core/base/time/duration.ts';
import type { RouteDeps } from './answer.ts';
import { fixedShare } from './fixed-share.ts';
import type { TapeTrade } from './market-tape.ts';

/** After the second of the match. All as measured on 2026-09-25. */
const MATCHED_AFTER_MS = 1_900;
const TRADES_AFTER_MS = 2_100;
const TRADES_SPREAD_MS = 400;
const SHARE_OF_ROWS = 0.997;
const SHARE_A_SECOND_LESS = 0.75;
/** So long without a PING, and nothing is sent any more. */
export const MUTE_AFTER_MS = 6 * 60_000;

/** The types of `activity` that show trades. */
export const RTDS_TYPES = ['trades', 'orders_matched'] as const;
export type RtdsType = (typeof RTDS_TYPES)[number];

export interface RtdsMessage {
  readonly type: RtdsType;
  readonly payload: object;
}

/** What RTDS has to send for the span after `since` up to `now`, in order. */
export function rtdsMessages({ view, profile }: RouteDeps, since: EpochMs, now: EpochMs): RtdsMessage[] {
  if (profile.rtds === 'immediate')
    return view.listedIn(since, now).flatMap((index) => {
      const payload = rtdsPayload(view.tape.trade(index));
      return RTDS_TYPES.map((type) => ({ type, payload }));
    });
  const due: (RtdsMessage & { readonly at: EpochMs })[] = [];
  for (const index of view.tradedIn(since - TRADES_AFTER_MS - TRADES_SPREAD_MS, now)) {
    const transaction = view.tape.transactionOf(index);
    if (fixedShare(`${transaction} ${index}`, 'rtds row') >= SHARE_OF_ROWS) continue;
    const matchedAt = view.tape.timeOf(index) * 1_000;
    const spread = fixedShare(transaction, 'rtds delay') * TRADES_SPREAD_MS;
    const times = {
      orders_matched: view.roleOf(index) === 'taker' ? matchedAt + MATCHED_AFTER_MS : null,
      trades: matchedAt + TRADES_AFTER_MS + spread,
    };
    for (const type of RTDS_TYPES) {
      const at = times[type];
      if (at === null || at <= since || at > now) continue;
      due.push({ type, payload: measuredPayload(view.tape.trade(index)), at });
    }
  }
  return due.sort((a, b) => a.at - b.at);
}

function measuredPayload(trade: TapeTrade): object {
  const isLess = fixedShare(trade.transactionHash, 'rtds second') < SHARE_A_SECOND_LESS;
  return rtdsPayload(isLess ? { ...trade, timestamp: trade.timestamp - 1 } : trade);
}

/** In the order of a captured frame (test/fixtures/upstream), and with its mixed case in the wallet. */
function rtdsPayload(trade: TapeTrade): object {
  return {
    asset: trade.asset,
    bio: '',
    conditionId: trade.conditionId,
    eventSlug: trade.eventSlug,
    icon: '',
    name: '',
    outcome: trade.outcome,
    outcomeIndex: trade.outcomeIndex,
    price: trade.price,
    profileImage: '',
    proxyWallet: mixedCase(trade.proxyWallet),
    pseudonym: 'Plain-Person',
    side: trade.side,
    size: trade.size,
    slug: trade.slug,
    timestamp: trade.timestamp,
    title: trade.title,
    transactionHash: trade.transactionHash,
  };
}

/** Like a checksummed address, without being one. */
function mixedCase(wallet: string): string {
  return wallet.replace(/(?<=..)[a-f](?=.?[0-7])/g, (letter) => letter.toUpperCase());
}
