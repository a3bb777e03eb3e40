import { utcMinute } from '../../../src/core/alerts/alert-words.ts';
import type { AuditEntry } from '../../../src/core/operations/audit-log.ts';
import { type ReadCommand, screenOf } from '../command.ts';
import { wholeNumber } from '../parse-arguments.ts';

const SHOWN = { byDefault: 8, max: 20, characters: 100 } as const;

export const auditCommand: ReadCommand = {
  kind: 'read',
  name: 'audit',
  usage: 'audit [N]',
  description: 'What operators did, newest first',
  parse(argument) {
    const limit = argument === '' ? SHOWN.byDefault : wholeNumber(argument, { min: 1, max: SHOWN.max });
    if (limit === null) return { ok: false, wrong: `N is a whole number from 1 to ${SHOWN.max}.` };
    return {
      ok: true,
      work: async ({ audit }) => {
        const entries = await audit.list({ limit });
        if (entries.length === 0) return screenOf('audit', [['Nothing was done yet.']]);
        return screenOf('audit', [[{ bold: 'Audit log' }], ...entries.map(entryParagraph)]);
      },
    };
  },
};

function entryParagraph({ seq, at, actor, command, args, outcome }: AuditEntry) {
  const line = `#${seq} ${utcMinute(at)} ${actor}\n`;
  return [line, { code: short(`${command} ${args}`.trim()) }, `\n${short(outcome)}`];
}

function short(text: string): string {
  return text.length <= SHOWN.characters ? text : `${text.slice(0, SHOWN.characters - 1)}…`;
}
