import { type MarketTape, tapeOf } from './market-tape.ts';

/** Epoch seconds at which the small tape begins. */
export const TAPE_START_S = Date.UTC(2026, 5, 10) / 1_000;
export const walletNo = (no: number) => `0x${String(no).padStart(40, '0')}`;
/** The hash of transaction `no`, as a node can show it. */
export const transactionNo = (no: number) => `0x${no.toString(16).padStart(64, '0')}`;
export const conditionNo = (no: number) => `0x${String(no).padStart(64, '0')}`;

/** Trade `n` of `count` is at second `n`, of wallet `n % 3`, in market `n % 2`; market 0 is settled halfway. */
export function smallTape(count: number): MarketTape {
  const market = (no: number, fields: object) => ({
    conditionId: conditionNo(no),
    question: `Question ${no}?`,
    slug: `question-${no}`,
    outcomes: '["Yes","No"]',
    clobTokenIds: JSON.stringify([`${no}1`, `${no}2`]),
    outcomePrices: '["0.5","0.5"]',
    tags: [{ id: '1', label: 'Politics', slug: 'politics' }],
    closed: false,
    at: TAPE_START_S,
    ...fields,
  });
  const settled = { closed: true, outcomePrices: '["0","1"]', at: TAPE_START_S + Math.floor(count / 2) };
  const trades = Array.from({ length: count }, (_, n) => ({
    proxyWallet: walletNo(n % 3),
    side: n % 5 === 0 ? 'SELL' : 'BUY',
    asset: `${n % 2}1`,
    conditionId: conditionNo(n % 2),
    size: 10 + n,
    price: 0.5,
    timestamp: TAPE_START_S + n,
    title: `Question ${n % 2}?`,
    slug: `question-${n % 2}`,
    eventSlug: `question-${n % 2}`,
    outcome: 'Yes',
    outcomeIndex: 0,
    transactionHash: transactionNo(n),
  }));
  return tapeOf([market(0, {}), market(1, {}), market(0, settled), ...trades]);
}
