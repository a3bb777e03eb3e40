import type { Checkpoint, TapeSource } from '../../core/ports/source.ts';
import { openNone } from './none.ts';
import { openReplay, replayName } from './replay.ts';
import type { ReplayShift } from './replay-options.ts';
import type { SourceDeps } from './source-deps.ts';
import { openTail, tailName } from './tail.ts';

/** Which source to open. */
export type SourceSpec =
  | { readonly kind: 'none' }
  | { readonly kind: 'replay'; readonly file: string; readonly speed: number; readonly shift: ReplayShift }
  | { readonly kind: 'tail'; readonly file: string };

/** The name under which a source's checkpoint is kept; the opened source carries the same. */
export function sourceName(spec: SourceSpec): string {
  switch (spec.kind) {
    case 'none':
      return 'none';
    case 'replay':
      return replayName(spec.file);
    case 'tail':
      return tailName(spec.file);
  }
}

/** Opens a source where its checkpoint left it. Throws, saying what would be right, when it cannot be opened. */
export async function openSource(
  spec: SourceSpec,
  checkpoint: Checkpoint | null,
  deps: SourceDeps,
): Promise<TapeSource> {
  switch (spec.kind) {
    case 'none':
      return openNone();
    case 'replay':
      return openReplay({ ...spec, checkpoint }, deps);
    case 'tail':
      return openTail({ file: spec.file, checkpoint }, deps);
  }
}
