import { repeat } from '../../../../core/base/async/repeat.ts';
import type { Clock } from '../../../../core/base/time/clock.ts';
import { DAY_MS, type EpochMs, MINUTE_MS } from '../../../../core/base/time/duration.ts';
import type { UnwatchedVolume } from '../../../../core/trades/coverage/unwatched-volume.ts';
import type { BlockReader } from './block-reader.ts';
import type { ChainHeader } from './chain-block.ts';
import { RpcFault } from './chain-node.ts';
import type { LogVolume } from './order-filled.ts';

/** Free plans allow no more in one call. They have about 200 fills. */
const SAMPLED_BLOCKS = 5;
/** Deep enough to stay. */
const DEPTH = 3;
/** About 3 % of all blocks, and 60 MB per day. */
const EVERY_MS = 5 * MINUTE_MS;

/** `elsewhere` is null where the node does not search all contracts. */
export interface VolumeSample extends Omit<LogVolume, 'elsewhere'> {
  readonly elsewhere: number | null;
}

/** The volume of the last blocks below the head. */
async function sampleVolume(
  reader: Pick<BlockReader, 'volume'>,
  head: Pick<ChainHeader, 'number'>,
  signal: AbortSignal,
): Promise<VolumeSample> {
  const last = head.number - DEPTH;
  const span = { from: last - SAMPLED_BLOCKS + 1, to: last };
  try {
    return await reader.volume({ ...span, isEverywhere: true }, signal);
  } catch (error) {
    if (!(error instanceof RpcFault)) throw error;
    const volume = await reader.volume({ ...span, isEverywhere: false }, signal);
    return { ...volume, elsewhere: null };
  }
}

interface SamplerOptions {
  readonly reader: Pick<BlockReader, 'volume'>;
  readonly clock: Clock;
  /** Null while the node is not at the head of the chain. */
  readonly head: () => ChainHeader | null;
}

/** Samples the volume that is not watched, and forgets it after 24 hours and at a restart. */
export class VolumeSampler {
  readonly #options: SamplerOptions;
  #samples: readonly (VolumeSample & { readonly at: EpochMs })[] = [];

  constructor(options: SamplerOptions) {
    this.#options = options;
  }

  async run(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    await repeat(() => this.#sample(signal), { clock, signal, intervalMs: MINUTE_MS });
  }

  /** Null while nothing was measured. */
  volume(): UnwatchedVolume | null {
    return volumeOf(this.#samples);
  }

  async #sample(signal: AbortSignal): Promise<void> {
    const head = this.#options.head();
    const last = this.#samples.at(-1)?.at ?? Number.NEGATIVE_INFINITY;
    if (head === null || head.at - last < EVERY_MS) return;
    try {
      const sample = await sampleVolume(this.#options.reader, head, signal);
      // A node that lags answers with an empty list.
      if (sample.watched + sample.combos === 0) return;
      const kept = this.#samples.filter(({ at }) => head.at - at < DAY_MS);
      this.#samples = [...kept, { ...sample, at: head.at }];
    } catch (error) {
      // The next minute tries again; following the chain reports the node's faults.
      if (!(error instanceof RpcFault)) throw error;
    }
  }
}

/** The shares of some samples; null without volume. */
export function volumeOf(
  samples: readonly (VolumeSample & { readonly at: EpochMs })[],
): UnwatchedVolume | null {
  const [first] = samples;
  const usdc = sum(samples, ({ watched, combos }) => watched + combos);
  if (first === undefined || usdc === 0) return null;
  const searched = samples.filter(({ elsewhere }) => elsewhere !== null);
  const other = sum(searched, ({ elsewhere }) => elsewhere ?? 0);
  const besides = sum(searched, ({ watched, combos }) => watched + combos);
  return {
    since: first.at,
    until: samples.at(-1)?.at ?? first.at,
    blocks: samples.length * SAMPLED_BLOCKS,
    usdc,
    combos: sum(samples, ({ combos }) => combos) / usdc,
    otherContracts: searched.length === 0 ? null : other / (other + besides),
  };
}

function sum<Item>(items: readonly Item[], amountOf: (item: Item) => number): number {
  return items.reduce((total, item) => total + amountOf(item), 0);
}
