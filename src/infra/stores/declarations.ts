import { AUDIT } from './audit-log.ts';
import { CHAT_MESSAGES } from './chat-declaration.ts';
import { CURSORS } from './cursors.ts';
import { CUSTOMERS, LINK_CODES, PAST_TRIALS } from './customer-store.ts';
import type { Declaration } from './declaration.ts';
import { DELIVERIES } from './delivery-store.ts';
import { BLIND_WINDOWS, FEED_POSITIONS } from './feed-health-store.ts';
import { HANDLES } from './handle-store.ts';
import { HEARTBEATS } from './heartbeat-store.ts';
import { JOB_RUNS } from './job-run-store.ts';
import { KEYS } from './key-store.ts';
import { LEASE } from './lease-store.ts';
import { LOG } from './log-store.ts';
import { PAUSES } from './pause-store.ts';
import { PRESETS } from './preset-store.ts';
import { RESOLUTIONS } from './resolution-store.ts';
import { SECRETS } from './secret-store.ts';
import { STATEMENTS } from './statement-store.ts';
import { USAGE } from './usage-store.ts';
import { WALLET_AGES } from './wallet-age-store.ts';
import { WEBHOOKS } from './webhook-store.ts';

/** Every table and collection that is declared for both databases. */
export const DECLARATIONS = [
  AUDIT,
  BLIND_WINDOWS,
  CHAT_MESSAGES,
  CURSORS,
  CUSTOMERS,
  DELIVERIES,
  FEED_POSITIONS,
  HANDLES,
  HEARTBEATS,
  JOB_RUNS,
  KEYS,
  LEASE,
  LINK_CODES,
  LOG,
  PAST_TRIALS,
  PAUSES,
  PRESETS,
  RESOLUTIONS,
  SECRETS,
  STATEMENTS,
  USAGE,
  WALLET_AGES,
  WEBHOOKS,
] as unknown as readonly Declaration<Record<string, unknown>>[];
