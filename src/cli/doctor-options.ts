import { parseArgs } from 'node:util';
import { PROGRAM } from './program.ts';

export const DOCTOR_HELP = `Examines whether the market is as this program assumes: each probe passes, warns or fails, and says what to do.

Usage: ${PROGRAM} doctor [--json]

  --json   the report as JSON on standard output
  --help   this text

  It needs no database and takes up to a minute, with 2 % of what the market allows. It reads the settings
  POLYMARKET_DATA_URL, POLYMARKET_GAMMA_URL, POLYMARKET_STREAM_URL, POLYMARKET_CLOB_URL and POLYGON_RPC_URL.
  Exit codes: 0 nothing failed, 1 a probe failed, 2 wrong usage.`;

export interface DoctorCommandOptions {
  readonly isJson: boolean;
}

/** Null: help was requested. */
export function parseDoctorOptions(args: readonly string[]): DoctorCommandOptions | null {
  const { values } = parseArgs({
    args: [...args],
    options: {
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  return values.help ? null : { isJson: values.json };
}
