import { writeFile } from 'node:fs/promises';

const SECOND = Date.UTC(2025, 11, 2) / 1_000;
const MARKETS = 40;

/** Writes a tape of first buys of new wallets, all in one second: at least as many alerts, found together at its end. */
export async function writeBurstTape(file: string, buys: number): Promise<void> {
  const lines = Array.from({ length: buys }, (_, n) => ({
    proxyWallet: `0x${String(n).padStart(40, '0')}`,
    side: 'BUY',
    asset: `${1_000 + (n % MARKETS)}`,
    conditionId: `0xm${n % MARKETS}`,
    size: 10_000,
    price: 0.25,
    timestamp: SECOND,
    title: `Will measure ${n % MARKETS} pass?`,
    slug: `will-measure-${n % MARKETS}-pass`,
    outcome: 'Yes',
    outcomeIndex: 0,
    transactionHash: `0xt${n}`,
  }));
  const rows = [{ tape: { history: 'complete' } }, ...lines];
  await writeFile(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
}
