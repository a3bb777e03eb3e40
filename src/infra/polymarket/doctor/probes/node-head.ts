import { blockAgeVerdict } from '../../../../core/doctor/verdicts.ts';
import { found, type Probe, secondsText, skipped } from '../probe.ts';

export const POLYGON = 137;

/** The node is on Polygon and at the head of the chain. */
export const nodeHeadProbe: Probe = {
  name: 'node_head',
  action:
    'The node does not answer, is behind, or is on another chain: the stream and polling lead meanwhile. Set POLYGON_RPC_URL to another node of Polygon.',
  needs: [],
  async find({ node, clock }, signal) {
    if (node === null) return skipped('POLYGON_RPC_URL is not set');
    const head = await node.head(signal);
    const ageMs = Math.max(0, clock.now() - head.at);
    const chainId = await node.reader.chainId(signal);
    if (chainId !== POLYGON) return found('fail', `chain ${chainId}; Polygon is ${POLYGON}`);
    return found(blockAgeVerdict(ageMs), `block ${head.number} was ${secondsText(ageMs)} old when it came`);
  },
};
