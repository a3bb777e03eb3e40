import { z } from 'zod';
import type { CallerSchedule } from '../../core/alerts/archive/archive-scheduler.ts';
import { DELAYED, visibleUntil } from '../../core/alerts/free-delay.ts';
import { walletPath } from '../../core/alerts/site-paths.ts';
import { isHidden } from '../../core/alerts/statements/statement-store.ts';
import { canonicalOr } from '../canonical.ts';
import type { Page } from '../page.ts';
import { walletPage } from '../pages/wallet.ts';
import { reportPagePath, reportPageSchema, withPrices } from '../report-query.ts';
import { type SitePart, sendNotFound, sendPage } from '../site.ts';

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const LISTED = 20;

/** The page of a wallet, unless an operator has hidden it. */
export function registerWalletPage(part: SitePart): void {
  const schema = { hide: true, params: z.object({ address: z.string() }), querystring: reportPageSchema };
  part.app.get('/wallets/:address', { schema }, (request, reply) => {
    const { address } = request.params;
    if (!ADDRESS.test(address)) return sendNotFound(reply);
    const path = walletPath(address);
    return canonicalOr(path, request, reply, () => {
      const { before_id: beforeId } = request.query;
      const asked = { address: address.toLowerCase(), beforeId };
      const make = (schedule: CallerSchedule) => readPage(part, asked, schedule);
      return sendPage(part, { name: reportPagePath(path, beforeId), make }, request, reply);
    });
  });
}

async function readPage(
  { deps, site: { prices, statements } }: SitePart,
  { address, beforeId }: { readonly address: string; readonly beforeId: number | undefined },
  { searches }: CallerSchedule,
): Promise<Page | null> {
  const until = visibleUntil(DELAYED, deps);
  const stated = await statements.ofWallet(address);
  if (isHidden(stated)) return null;
  const query = {
    until,
    outcomesUntil: Number.POSITIVE_INFINITY,
    limit: LISTED,
    ...(beforeId !== undefined && { beforeId }),
  };
  const report = await searches(() => deps.alerts.walletReport(address, query));
  if (report === null) return null;
  const rows = await withPrices(report.alerts, prices, until);
  const notes = stated.filter(({ kind, at }) => kind === 'annotate' && at <= until);
  return walletPage(address, report, { rows, notes, beforeId });
}
