import { UserError } from '../core/base/user-error.ts';
import type { Candidate } from '../core/detection/candidate.ts';
import { Detector } from '../core/detection/detector.ts';
import type { DetectionRules } from '../core/detection/rules.ts';
import type { DropReason } from '../core/trades/source/source.ts';
import type { Market, Trade } from '../core/trades/trade.ts';
import { openReplay } from '../infra/market/tapes/replay.ts';
import { systemClock } from '../infra/process/system-clock.ts';
import { noLogger } from '../infra/telemetry/no-logger.ts';

export interface JudgedTape {
  readonly found: readonly Candidate[];
  readonly trades: number;
  readonly dropped: ReadonlyMap<DropReason, number>;
  /** Whether it has the market's whole history. */
  readonly isComplete: boolean;
}

export interface TapeListener {
  onMarket?(market: Market): void;
  onTrade?(trade: Trade): void;
  /** From 0 to 1. */
  onProgress(part: number): void;
}

/** Judges a tape from its start by the rules, at its own times. Throws a `UserError` when it holds no trade. */
export async function judgeTape(
  file: string,
  rules: DetectionRules,
  listener: TapeListener,
): Promise<JudgedTape> {
  const dropped = new Map<DropReason, number>();
  const onDrop = (reason: DropReason) => void dropped.set(reason, (dropped.get(reason) ?? 0) + 1);
  const deps = { clock: systemClock, logger: noLogger, onDrop };
  const source = await openReplay({ file, speed: 0, shift: null, checkpoint: null }, deps);
  const detector = new Detector(rules, source);
  const found: Candidate[] = [];
  let trades = 0;
  for await (const batch of source.batches(new AbortController().signal)) {
    for (const { row, acceptedAt } of batch) {
      const judgement = detector.judge(row, acceptedAt);
      found.push(...judgement.candidates);
      if (judgement.dropped !== null) onDrop(judgement.dropped);
      else if (row.kind === 'trade') {
        trades += 1;
        listener.onTrade?.(row.trade);
      }
      if (row.kind === 'market') listener.onMarket?.(row.market);
    }
    listener.onProgress(source.status().progress ?? 0);
  }
  if (trades === 0) throw new UserError(`${file}: no line is a trade as docs/tapes.md describes it.`);
  return { found, trades, dropped, isComplete: source.isComplete };
}
