import type { DatabaseUse } from '../../infra/database/schema-version.ts';
import { PROGRAM } from '../../infra/process/program.ts';

/** Brings an older file forward without the build that wrote it. */
const START_ON_COPY =
  `A start migrates it: copy it to a new file, run "DATABASE_URL=sqlite:COPY MARKET_SOURCE=none ROLES=api PORT=0 ${PROGRAM} start", ` +
  'stop it with Ctrl-C once it listens, and name the copy.';

/** A database that is read, or a backup. */
export function sourceUse(setting: string): DatabaseUse {
  return {
    setting,
    ifOlder: START_ON_COPY,
    ifUnusable: 'Name another file; a compressed one must be unpacked first.',
  };
}

/** A database that is filled. */
export function targetUse(setting: string): DatabaseUse {
  const remedy = 'Name a new, empty database.';
  return { setting, ifOlder: remedy, ifUnusable: remedy };
}
