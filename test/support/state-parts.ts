import { fromChunkText, type StatePart, toChunkText } from '../../src/core/detection/state-chunks.ts';

/** What a snapshot writer keeps of parts that come and go: the whole of each at first, then its changes where it can name them. */
export class KeptParts {
  #chunks: string[] = [];

  write(parts: ReadonlyMap<string, StatePart>): number {
    let written = 0;
    const kept: string[] = [];
    for (const [part, state] of parts) {
      const before = this.#chunks.filter((chunk) => fromChunkText(chunk).part === part);
      const changes = before.length === 0 ? null : state.changes();
      const isWhole = changes === null;
      const chunks = [...(changes ?? state.whole())].map((text) => toChunkText({ part, isWhole, text }));
      kept.push(...(isWhole ? [] : before), ...chunks);
      written += chunks.reduce((sum, { length }) => sum + length, 0);
      state.markWritten();
    }
    this.#chunks = kept;
    return written;
  }

  get chunks(): readonly string[] {
    return this.#chunks;
  }
}
