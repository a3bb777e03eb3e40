import { z } from 'zod';
import { DAY_MS } from '../../../core/duration.ts';
import type { AgeSource, WalletAge } from '../../../core/ports/wallet-age-store.ts';
import type { EpochMs } from '../../../core/trade.ts';
import { parseMoment } from '../../sources/moment.ts';
import { UpstreamFault } from '../client/market-client.ts';
import { upstreamTime } from '../upstream-time.ts';
import { firstTrade } from './activity-probe.ts';
import { type Asking, askIfKnown } from './ask.ts';

/** An account that seems to begin so much after its own trade began with it; what is later is another account's. */
const SLACK_MS = DAY_MS;
/** The market opened in 2020; what says to be older is a default of some field. */
const EARLIEST = Date.UTC(2020, 0, 1);

const stats = z.object({ data: z.object({ join_date: z.unknown() }).nullable() });
const profile = z.object({ createdAt: z.unknown() });

/** Why there is no age. */
export interface NoAge {
  readonly reason: string;
}

/** When the wallet began, from the first that knows it: its statistics, its profile, its proven first trade. */
export async function accountAge(asking: Asking): Promise<WalletAge | NoAge> {
  const faults: unknown[] = [];
  for (const [source, read] of SOURCES) {
    try {
      const found = await read(asking);
      const createdAt = plausible(found, asking.before);
      if (createdAt !== null) return { wallet: asking.wallet, createdAt, source };
      if (source === 'activity' && faults.length === 0) return { reason: reasonOf(found) };
    } catch (error) {
      if (!isOfOneRoute(error)) throw error;
      faults.push(error);
    }
  }
  throw faults[0];
}

const SOURCES: readonly (readonly [AgeSource, (asking: Asking) => Promise<EpochMs | string | null>])[] = [
  ['join_date', joinDate],
  ['profile', profileDate],
  ['activity', firstTrade],
];

/** The moment, never after the trade that was seen; null when it cannot be this account's. */
export function plausible(at: EpochMs | string | null, before: EpochMs): EpochMs | null {
  if (typeof at !== 'number' || at < EARLIEST || at > before + SLACK_MS) return null;
  return Math.min(at, before);
}

async function joinDate(asking: Asking): Promise<EpochMs | null> {
  const query = { user: asking.wallet };
  const answer = await askIfKnown(asking, { api: 'data', path: '/v2/user-stats', query }, stats);
  return upstreamTime(answer?.data?.join_date);
}

async function profileDate(asking: Asking): Promise<EpochMs | null> {
  const query = { address: asking.wallet };
  const answer = await askIfKnown(asking, { api: 'gamma', path: '/public-profile', query }, profile);
  return typeof answer?.createdAt === 'string' ? parseMoment(answer.createdAt) : null;
}

/** The market answered, only not as it should: the next source may do better. */
function isOfOneRoute(error: unknown): boolean {
  return error instanceof UpstreamFault && (error.outcome === 'refused' || error.outcome === 'garbled');
}

function reasonOf(found: EpochMs | string | null): string {
  if (found === 'none') return 'no activity';
  return found === 'unproven' ? 'no proof of the first trade' : 'older trade than account';
}
