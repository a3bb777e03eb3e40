import { writeFile } from 'node:fs/promises';
import { configReference } from '../src/config.ts';
import { writeBlock } from './page-block.ts';

const FIRST_SETTINGS = [
  'DATABASE_PASSWORD',
  'SECRET_KEY',
  'PUBLIC_URL',
  'TRUST_PROXY',
  'METRICS_TOKEN',
  'MARKET_SOURCE',
  'TELEGRAM_BOT_TOKEN',
  'TELEGRAM_CHANNEL_ID',
  'DISCORD_TOKEN',
  'DISCORD_GUILD_ID',
  'DISCORD_CHANNEL_ID',
  'ADMIN_IDS',
  'LOG_LEVEL',
];

export function settingsTable(): string {
  const rows = configReference().map(
    ({ name, default: value, meaning }) => `| \`${name}\` | ${value} | ${meaning} |`,
  );
  return ['| variable | default | meaning |', '|---|---|---|', ...rows, ''].join('\n');
}

export function envExample(): string {
  const reference = new Map(configReference().map((row) => [row.name, row]));
  const settings = FIRST_SETTINGS.map((name) => {
    const row = reference.get(name);
    if (row === undefined) throw new Error(`${name}: no such setting`);
    return `# ${row.meaning} Default: ${row.default}.\n${name}=\n`;
  });
  const head = `# Settings for docker compose. Copy this file to .env and fill it in. An empty setting keeps its default,
# except for DATABASE_PASSWORD, which compose.yaml needs.
# docs/settings.md lists all settings. compose.yaml sets HOST, PORT and DATABASE_URL.\n`;
  return [head, ...settings].join('\n').replaceAll('`', '');
}

if (import.meta.main) {
  await writeBlock('docs/settings.md', 'settings', settingsTable());
  await writeFile('.env.example', envExample());
}
