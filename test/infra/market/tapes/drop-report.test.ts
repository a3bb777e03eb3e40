import { expect, test } from 'vitest';
import { badRow, createDropReport } from '../../../../src/infra/market/tapes/bad-row.ts';
import { createSourceFixture } from './source-fixture.ts';

test('every bad row is counted by reason, and logged at a bounded rate with the number of the others', async () => {
  const fixture = createSourceFixture();
  const logged: object[] = [];
  const report = createDropReport(
    { ...fixture, logger: { ...fixture.logger, warn: (fields) => logged.push(fields) } },
    's',
  );
  for (let offset = 0; offset < 1_000; offset++) report(badRow('not_json', 'x'), offset);
  report(badRow('bad_price', 'price'), 1_000);
  await fixture.clock.advance(10_000);
  report(badRow('not_json', 'y'), 1_001);
  expect(fixture.dropped).toHaveLength(1_002);
  expect(logged).toMatchObject([
    { reason: 'not_json', offset: 0, before: 0 },
    { reason: 'bad_price', offset: 1_000 },
    { reason: 'not_json', detail: 'y', offset: 1_001, before: 999 },
  ]);
});
