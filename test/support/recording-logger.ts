import type { Logger } from '../../src/core/base/logger.ts';

export interface Line {
  readonly level: keyof Logger;
  readonly message: string;
  readonly fields: object;
}

/** Keeps every line. */
export function createRecordingLogger(): Logger & { readonly lines: Line[] } {
  const lines: Line[] = [];
  const at = (level: keyof Logger) => (fields: object, message: string) =>
    void lines.push({ level, message, fields });
  return { lines, debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}
