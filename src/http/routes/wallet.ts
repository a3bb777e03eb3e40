import { z } from 'zod';
import { callerOf } from '../hooks/api-key-auth.ts';
import { scheduleOf } from '../hooks/archive-schedule.ts';
import { compressAnswer } from '../hooks/compression.ts';
import { refuse } from '../hooks/refuse.ts';
import { nextLink } from '../query/cursor.ts';
import { nextReport, reportQuery, reportQuerySchema } from '../query/report-query.ts';
import { errorSchema } from '../schemas/replies.ts';
import type { Api, ServerDeps } from '../server-deps.ts';
import { walletSchema, walletView } from '../views/wallet-view.ts';

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

const paramsSchema = z.object({
  address: z
    .string()
    .regex(ADDRESS, 'Input should be a wallet address: 0x and 40 hexadecimal digits')
    .meta({
      description: 'Address of the wallet. Case does not matter.',
      examples: ['0x7c3db723f1d4d8cb9c550095203b686cb11e5c6b'],
    }),
});

export function registerWallet(app: Api, deps: ServerDeps): void {
  app.get('/wallets/:address', {
    onSend: compressAnswer,
    schema: {
      operationId: 'getWallet',
      tags: ['Wallets'],
      summary: 'One wallet',
      description:
        'What the published alerts say of a wallet: its alerts, what became of them, and the clusters it was part of. A free key sees alerts and results 5 minutes late.',
      params: paramsSchema,
      querystring: reportQuerySchema,
      response: { 200: walletSchema, 404: errorSchema },
    },
    async handler(request, reply) {
      const address = request.params.address.toLowerCase();
      const query = reportQuery(request.query, callerOf(request).policy, deps);
      const schedule = scheduleOf(request, deps).searches;
      const report = await schedule(() => deps.alerts.walletReport(address, query));
      if (report === null) {
        return refuse(reply, 'wallet_not_found', `Wallet ${address} was not found: no alert names it.`);
      }
      const next = nextReport(report);
      if (next !== null) reply.header('link', nextLink(request, reportQuerySchema.shape, next));
      return walletView(address, report, request.query);
    },
  });
}
