import type { Config } from '../config.ts';
import type { Clock } from '../core/base/time/clock.ts';
import { firstTime } from '../infra/market/tapes/replay-plan.ts';

/** The sentence that every page has while the trades are those of a tape. */
export class ReplayNotice {
  readonly #config: Pick<Config, 'source' | 'replay'>;
  readonly #clock: Pick<Clock, 'now'>;
  #text: string | null = null;

  constructor(config: Pick<Config, 'source' | 'replay'>, clock: Pick<Clock, 'now'>) {
    this.#config = config;
    this.#clock = clock;
  }

  /** Null with another source, and before `open`. */
  readonly text = (): string | null => this.#text;

  async open(): Promise<void> {
    const { source, replay } = this.#config;
    if (source.kind !== 'replay') return;
    const { shift, speed } = replay;
    const started = typeof shift === 'number' ? shift : null;
    // A process of the API alone may be without the tape.
    const at = started ?? (await firstTime(source.file, this.#clock.now()).catch(() => null));
    const year = at === null ? 'the past' : new Date(at).getUTCFullYear();
    const dates = shift === null ? 'with their own dates' : 'moved to today';
    const pace = speed === 0 ? '' : ` at ${speed.toLocaleString('en-US')} times their pace`;
    this.#text = `A replay: real trades of ${year}, ${dates}${pace}. Nothing here happens now.`;
  }
}
