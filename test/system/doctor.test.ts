import { expect, test } from 'vitest';
import { smallTape, TAPE_START_S } from '../support/market/small-tape.ts';
import { watchMarket } from '../support/market/watched-market.ts';

const MINUTE_MS = 60_000;

test('the service examines the market a minute after it is live, and /readyz shows what was found', async () => {
  const service = await watchMarket(smallTape(2_000), (TAPE_START_S + 1_500) * 1_000);
  await service.pass(MINUTE_MS / 2);
  expect((await service.named()).readyz.checks.doctor).toEqual({ ready: true, state: 'not_run' });
  await service.pass(2.5 * MINUTE_MS);
  const { readyz } = await service.named();
  expect(readyz.checks.doctor).toMatchObject({
    ready: true,
    state: 'pass',
    details: { summary: '10 pass, 3 skipped, 1 min ago' },
  });
  expect(readyz.checks.doctor.details.probes).toHaveLength(13);
});
