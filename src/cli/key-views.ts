import { type ApiKey, effectiveTier } from '../core/accounts/keys/api-key.ts';
import { PROGRAM } from '../infra/process/program.ts';
import type { Terminal } from './terminal.ts';

interface Issued {
  readonly key: ApiKey;
  readonly secret: string;
}

/** What programs read: one object a key, times in ISO 8601. The key itself is in no other output than this. */
export function issuedJson({ key, secret }: Issued): object {
  return { id: key.id, key: secret, tier: key.tier, name: key.name, trial_ends_at: iso(key.trialEndsAt) };
}

export function keyJson(key: ApiKey, now: number): object {
  return {
    id: key.id,
    name: key.name,
    tier: effectiveTier(key, now),
    issued_tier: key.tier,
    created_at: iso(key.createdAt),
    trial_ends_at: iso(key.trialEndsAt),
    revoked_at: iso(key.revokedAt),
  };
}

export function issuedLines({ key, secret }: Issued, baseUrl: string, { style }: Terminal): string[] {
  return [
    `Key for ${style('bold', key.name)} (${key.id}): ${tierText(key)}.`,
    '',
    `  ${style('green', secret)}`,
    '',
    'It is shown this once and cannot be recovered. Try it:',
    '',
    `  curl -H 'Authorization: Bearer ${secret}' '${baseUrl}/api/v1/alerts/latest?limit=5'`,
  ];
}

/** One line a key, oldest first, under a head. */
export function keyTable(keys: readonly ApiKey[], now: number, { style }: Terminal): string[] {
  if (keys.length === 0) return [`No keys yet. Issue one: ${PROGRAM} keys issue --tier pro --name "My bot"`];
  const rows = keys.map((key) => [
    key.id,
    effectiveTier(key, now),
    day(key.createdAt),
    stateOf(key, now),
    key.name,
  ]);
  const head = ['ID', 'TIER', 'CREATED', 'STATE', 'NAME'];
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  return [style('gray', line(head)), ...rows.map(line)];
}

export function tierText(key: Pick<ApiKey, 'tier' | 'trialEndsAt'>): string {
  if (key.trialEndsAt === null) return key.tier;
  const end = new Date(key.trialEndsAt).toISOString().slice(0, 16).replace('T', ' ');
  return `${key.tier} until ${end} UTC, free afterwards`;
}

function stateOf(key: ApiKey, now: number): string {
  if (key.revokedAt !== null) return `revoked ${day(key.revokedAt)}`;
  if (key.trialEndsAt === null) return 'active';
  return `${now < key.trialEndsAt ? 'trial until' : 'trial ended'} ${day(key.trialEndsAt)}`;
}

function day(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

function iso(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
