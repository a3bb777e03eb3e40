import { expect, test } from 'vitest';
import { DEFAULT_RULES } from '../../src/core/detection/rules.ts';
import { scoreOf } from '../../src/core/detection/score.ts';
import { ALERT_EXAMPLE } from '../../src/http/views/examples.ts';
import { ask } from '../support/api-server.ts';
import { startWithDocument } from '../support/documented-api.ts';

test('/llms.txt has the form of llmstxt.org and names every operation', async () => {
  const { baseUrl, operations } = await startWithDocument();
  const { status, headers, text } = await ask(`${baseUrl}/llms.txt`);
  expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
  expect(text).toMatch(/^# Tipoff\n\n> [^\n]+\n\n/);
  for (const { method, path, operation } of operations) {
    const address = `/docs/${operation.tags?.[0]?.toLowerCase()}#${operation.operationId}`;
    expect(text).toContain(`\n- [${method.toUpperCase()} ${path}](${address}): `);
  }
  // Values and defaults, also of components.
  expect(text).toContain('`side` (BUY, SELL)');
  expect(text).toContain('`page_size` (1 to 100; default 20)');
  expect(text).toContain('Body: `name`, `filters`, `created_at`.');
  const afterHeadings = text.split(/^## .+$/m).slice(1);
  for (const section of afterHeadings) expect(section.trim()).toMatch(/^(- \[[^\]]+\]\([^)]+\): .+\n?)+$/);
  for (const word of ['Bearer', '429', 'detail', 'ws/alerts', 'Webhooks', '/api/v1/asyncapi.json'])
    expect(text).toContain(word);
});

test('the alert that the API document shows has the score, and the reasons, of the rules in force', () => {
  const { alert_type: type, usdc_value: measureUsdc, details } = ALERT_EXAMPLE;
  const { wallet_age_days: ageDays, to_win_usdc: toWinUsdc } = details;
  const given = { ageDays, markets: 1, measureUsdc, toWinUsdc, hoursToEnd: 14 };
  const input = { type: type as 'fresh', ...given, volume24h: null, clusterWallets: 0 };
  const { score, reasons } = scoreOf(DEFAULT_RULES.score, input);

  expect(ALERT_EXAMPLE).toMatchObject({
    signal_score: score,
    details: { reasons, rule_version: DEFAULT_RULES.version },
  });
});
