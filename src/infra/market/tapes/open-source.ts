import { untilAborted } from '../../../core/base/async/repeat.ts';
import type { TapeSource } from '../../../core/trades/source/source.ts';
import { openReplay } from './replay.ts';
import type { ReplayPace } from './replay-plan.ts';
import { type SourceDeps, type SourceStart, tapeSourceName } from './source-deps.ts';
import { openTail } from './tail.ts';

export type SourceSpec =
  | { readonly kind: 'none' }
  | (ReplayPace & { readonly kind: 'replay'; readonly file: string })
  | { readonly kind: 'tail'; readonly file: string };

export function sourceName(spec: SourceSpec): string {
  return spec.kind === 'none' ? 'none' : tapeSourceName(spec.kind, spec.file);
}

export function openSource(spec: SourceSpec, start: SourceStart, deps: SourceDeps): Promise<TapeSource> {
  switch (spec.kind) {
    case 'none':
      return Promise.resolve(NONE);
    case 'replay':
      return openReplay({ ...spec, ...start }, deps);
    case 'tail':
      return openTail({ file: spec.file, ...start }, deps);
  }
}

const NONE: TapeSource = {
  name: 'none',
  isComplete: false,
  isLive: true,
  mapping: null,
  checkpoint: () => ({ offset: 0, identity: 'none', mapping: null }),
  async *batches(signal) {
    await untilAborted(signal);
    yield* [];
  },
  status: () => ({ state: 'at_end', progress: null, historyProgress: null }),
};
