import { cursorVerdict } from '../../../../core/doctor/verdicts.ts';
import { readPage } from '../head-page.ts';
import { found, type Probe } from '../probe.ts';

/** The cursor of the head page leads to older trades. */
export const cursorProbe: Probe = {
  name: 'cursor',
  action:
    'Pages behind the newest cannot be read: trades made while the feed is blind or the service is stopped are lost. Set POLYGON_RPC_URL, and update Tipoff.',
  needs: ['/v2/trades'],
  async find(examination, signal) {
    const { head } = examination;
    if (head.next === null) return found('fail', `no cursor on a page of ${head.trades.length} rows`);
    const { keys } = await readPage(examination, head.next, signal);
    const repeated = [...keys].filter((key) => head.keys.has(key)).length;
    return found(
      cursorVerdict(repeated / keys.size),
      `${repeated} of ${keys.size} rows were on the page before`,
    );
  },
};
