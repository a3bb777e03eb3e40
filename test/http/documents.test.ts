import { expect, test } from 'vitest';
import { DEFAULT_RULES } from '../../src/core/detection/rules.ts';
import { scoreOf } from '../../src/core/detection/score.ts';
import { ERROR_CODES } from '../../src/http/schemas/error-codes.ts';
import { ALERT_EXAMPLE } from '../../src/http/views/examples.ts';
import { ask } from '../support/api-server.ts';
import { startWithDocument } from '../support/documented-api.ts';
import { startSite } from '../support/site.ts';

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
  const afterHeadings = text.split(/^## .+$/m).slice(1);
  for (const section of afterHeadings) expect(section.trim()).toMatch(/^(- \[[^\]]+\]\([^)]+\): .+\n?)+$/);
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

test('/docs/errors has every code with its meaning and what to do', async () => {
  const { text } = await (await startSite()).page('/docs/errors');
  expect([...text.matchAll(/<section class="entry" id="(\w+)">/g)].map(([, id]) => id)).toEqual(ERROR_CODES);
  expect(text.match(/What to do:/g)).toHaveLength(ERROR_CODES.length);
});
