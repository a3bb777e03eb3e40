import type { EpochMs } from './trade.ts';

/** How alerts are worded wherever people read them. */

/** USDC as whole dollars: `$12,340`. Negative sums have their sign in front. */
export function dollars(usdc: number): string {
  return `${usdc < 0 ? '-' : ''}$${Math.abs(Math.round(usdc)).toLocaleString('en-US')}`;
}

/** The beginning and the end of a wallet's address. */
export function shortWallet(address: string): string {
  return address.length <= 12 ? address : `${address.slice(0, 6)}…${address.slice(-4)}`;
}

/** A score from 0 to 100 as ten blocks. */
export function scoreBar(score: number): string {
  return '█'.repeat(Math.round(score / 10)).padEnd(10, '░');
}

/** `2026-11-21 20:15 UTC`. */
export function utcMinute(at: EpochMs): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** The page of a market, by its slug. */
export function marketAddress(slug: string): string {
  return `https://polymarket.com/event/${encodeURIComponent(slug)}`;
}

/** The page of a wallet. */
export function walletAddress(wallet: string): string {
  return `https://polymarket.com/profile/${encodeURIComponent(wallet)}`;
}
