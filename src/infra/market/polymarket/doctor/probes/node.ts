import { dollars } from '../../../../../core/base/text/formats.ts';
import { type EpochMs, MINUTE_MS, SECOND_MS } from '../../../../../core/base/time/duration.ts';
import type { ChainHeader } from '../../chain/chain-block.ts';
import { RpcFault } from '../../chain/chain-node.ts';
import { SAMPLED_BLOCKS, sampleVolume, volumeOf } from '../../chain/volume-sampler.ts';
import { LIST_LAG_MS } from '../../trades/trade-pages.ts';
import { VERDICTS } from '../doctor-report.ts';
import {
  type Examination,
  found,
  type HeadPage,
  newestAt,
  type Probe,
  type ProbedNode,
  readPage,
  retryOnce,
  secondsText,
  skipped,
} from '../probe.ts';

const POLYGON = 137;
const NO_NODE = 'POLYGON_RPC_URL is off';

export const nodeHeadProbe: Probe = {
  name: 'node_head',
  action:
    'The node does not answer, is behind, or is on another chain, or refuses requests: the list leads in the meantime. Set POLYGON_RPC_URL to another node of Polygon.',
  needs: [],
  async find({ node, clock }, signal) {
    if (node === null) return skipped(NO_NODE);
    const head = await node.head();
    const ageMs = Math.max(0, clock.now() - head.at);
    const chainId = await node.reader.chainId(signal);
    if (chainId !== POLYGON) return found('fail', `chain ${chainId}; Polygon is ${POLYGON}`);
    return found(VERDICTS.blockAge(ageMs), `block ${head.number} was ${secondsText(ageMs)} old when it came`);
  },
};

/** The list has all trades of a second after this time at most: its lag and the second itself. */
const LISTED_AFTER_MS = LIST_LAG_MS + SECOND_MS;
const PACE_BLOCKS = 100;
/** Forty a second for two minutes. */
const MOST_PAGES = 6;
const LEAST_ROWS = 50;

/** Blocks after `from` up to `to`, and so trades after the time of `from` up to that of `to`. */
interface BlockSpan {
  readonly from: ChainHeader;
  readonly to: ChainHeader;
}

export const nodeLogsProbe: Probe = {
  name: 'node_logs',
  action:
    'The node and the list of trades differ. Fewer logs: set POLYGON_RPC_URL to another node. More logs: the list leaves trades out, and the node has them; report it to the authors if it lasts.',
  needs: ['/v2/trades'],
  async find(examination, signal) {
    const { node, head, clock } = examination;
    if (node === null) return skipped(NO_NODE);
    if (!(await isUsable(node, signal))) return skipped('the node shows no block of Polygon');
    const span = await minuteBefore(newestAt(head) - LISTED_AFTER_MS, node, signal);
    const [fillCount, rowCount] = await Promise.all([
      retryOnce(() => countFills(span, node, signal), {
        clock,
        signal,
        isFinal: (error) => !(error instanceof RpcFault),
      }),
      countRows(span, examination, signal),
    ]);
    if (rowCount === null) return skipped('the list could not be read back for a minute');
    const seen = `${fillCount} logs and ${rowCount} rows of ${(span.to.at - span.from.at) / SECOND_MS} s`;
    if (rowCount < LEAST_ROWS) return skipped(`${seen}: too few to compare`);
    const ratio = fillCount / rowCount;
    return found(VERDICTS.logRatio(ratio), `${seen}, ratio ${ratio.toFixed(3)}`);
  },
};

export const nodeExchangesProbe: Probe = {
  name: 'node_exchanges',
  action:
    'Contracts that are not watched emit order fills. If one is an exchange of Polymarket, its trades come late and the node may lose the lead: add its address to POLYMARKET_EXTRA_EXCHANGES, and report it to the authors.',
  needs: [],
  async find({ node }, signal) {
    if (node === null) return skipped(`${NO_NODE}: the volume of combos and of other contracts is not known`);
    if (!(await isUsable(node, signal))) return skipped('the node shows no block of Polygon');
    const head = await node.head();
    const sample = await sampleVolume(node.reader, head, signal);
    const volume = volumeOf([{ ...sample, at: head.at }]);
    const combos = volume === null ? 'not known' : percentText(volume.combos);
    const seen = `${SAMPLED_BLOCKS} blocks with ${dollars(volume?.usdc ?? 0)}: combos ${combos}`;
    const { elsewhere, refusal } = sample;
    if (elsewhere === null)
      return skipped(`${seen}, other contracts not known: the node does not search them (${refusal})`);
    const named = [...elsewhere].map(([address, { fills }]) => `${fills} fills of ${address}`);
    if (named.length === 0) return found('pass', `${seen}, no fills of other contracts`);
    const other = percentText(volume?.otherContracts ?? 1);
    return found('warn', `${seen}, other contracts ${other}: ${named.join(', ')}`);
  },
};

function percentText(share: number): string {
  return share > 0 && share < 0.001 ? 'below 0.1 %' : `${(share * 100).toFixed(1)} %`;
}

/** False when the node fails: the probe of its head reports that. */
async function isUsable(node: ProbedNode, signal: AbortSignal): Promise<boolean> {
  try {
    await node.head();
    return (await node.reader.chainId(signal)) === POLYGON;
  } catch (error) {
    if (error instanceof RpcFault) return false;
    throw error;
  }
}

/** About a minute of blocks that ends at the moment, or at the node's head if that is earlier. */
async function minuteBefore(end: EpochMs, node: ProbedNode, signal: AbortSignal): Promise<BlockSpan> {
  const newest = await node.head();
  const header = (number: number) => node.reader.headerByNumber(Math.max(0, number), signal);
  const earlier = await header(newest.number - PACE_BLOCKS);
  const blockMs = (newest.at - earlier.at) / Math.max(1, newest.number - earlier.number);
  const blocksIn = (ms: number) => Math.max(0, Math.ceil(ms / Math.max(blockMs, 1)));
  const last = newest.number - blocksIn(newest.at - end);
  const [from, to] = await Promise.all([header(last - blocksIn(MINUTE_MS)), header(last)]);
  return { from, to };
}

async function countFills({ from, to }: BlockSpan, node: ProbedNode, signal: AbortSignal): Promise<number> {
  let count = 0;
  for await (const { fills } of node.reader.range(from.number + 1, to.number, signal)) count += fills.length;
  return count;
}

/** Number of rows in the span; null when the list cannot be read back that far. */
async function countRows(span: BlockSpan, examination: Examination, signal: AbortSignal) {
  const { from, to } = span;
  let page: HeadPage = examination.head;
  let count = 0;
  for (let pages = 1; ; pages += 1) {
    count += page.trades.filter(({ at }) => at > from.at && at <= to.at).length;
    const oldestAt = Math.min(...page.trades.map(({ at }) => at));
    if (oldestAt < from.at) return count;
    if (page.next === null || pages === MOST_PAGES) return null;
    const older = await readPage(examination, page.next, signal);
    if ([...older.keys].some((key) => page.keys.has(key))) return null;
    page = older;
  }
}
