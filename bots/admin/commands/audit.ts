import { utcMinute } from '../../../src/core/base/text/formats.ts';
import type { AuditEntry } from '../../../src/core/operations/audit-log.ts';
import { shortened } from '../../shared/screen.ts';
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
    if (limit === null) return { wrong: `N is a whole number from 1 to ${SHOWN.max}.` };
    return async ({ audit }) => {
      const entries = await audit.list({ limit });
      if (entries.length === 0) return screenOf('audit', [['Nothing was done yet.']]);
      return screenOf('audit', [[{ bold: 'Audit log' }], ...entries.map(entryParagraph)]);
    };
  },
};

function entryParagraph({ seq, at, actor, command, args, outcome }: AuditEntry) {
  const line = shortened(`${command} ${args}`.trim(), SHOWN.characters);
  return [`#${seq} ${utcMinute(at)} ${actor}\n`, { code: line }, `\n${shortened(outcome, SHOWN.characters)}`];
}
