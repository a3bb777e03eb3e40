import { expect, test } from 'vitest';
import { formatProblem } from '../../../../src/core/delivery/webhooks/webhook-format.ts';

const DISCORD = 'https://discord.com/api/webhooks/1/token';
const SLACK = 'https://hooks.slack.com/services/T/B/x';

test.each([
  ['json', DISCORD, 'takes_discord'],
  ['json', 'https://canary.discord.com/api/v10/webhooks/1/token', 'takes_discord'],
  ['json', 'https://discordapp.com/', 'takes_discord'],
  ['ntfy', DISCORD, 'takes_discord'],
  ['slack', DISCORD, 'takes_discord'],
  ['discord', `${DISCORD}/slack`, 'takes_slack'],
  ['json', SLACK, 'takes_slack'],
  ['discord', SLACK, 'takes_slack'],
  ['ntfy', 'https://ntfy.sh/', 'not_a_topic'],
  ['ntfy', 'https://ntfy.sh/a/b', 'not_a_topic'],
  ['ntfy', `https://ntfy.sh/${'x'.repeat(65)}`, 'not_a_topic'],
] as const)('%s at %s would never be delivered: %s', (format, url, problem) => {
  expect(formatProblem(url, format)).toBe(problem);
});

test.each([
  ['discord', `${DISCORD}?thread_id=5`],
  ['slack', `${DISCORD}/slack`],
  ['slack', SLACK],
  ['slack', 'https://mattermost.example.com/hooks/x'],
  ['discord', 'https://discord.example.com/api/webhooks/1/token'],
  ['ntfy', 'https://ntfy.sh/my_topic-1'],
  ['ntfy', 'https://push.example.com:8443/alerts?auth=x'],
  ['json', 'https://ntfy.sh/my-topic'],
  ['json', 'https://notdiscord.com/api/webhooks/1/token'],
] as const)('%s at %s is no problem', (format, url) => {
  expect(formatProblem(url, format)).toBeNull();
});
