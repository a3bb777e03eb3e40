import { expect, test } from 'vitest';
import { createSigningSecrets } from '../../../src/core/delivery/webhooks/webhook.ts';
import { secureRandom } from '../../../src/infra/secrets/key-crypto.ts';
import { checkSecretKey } from '../../../src/infra/secrets/secret-key-change.ts';
import { createWebhookSecrets } from '../../../src/infra/secrets/webhook-secrets.ts';
import { createFakeClock } from '../../support/clock.ts';
import { createRecordingLogger } from '../../support/recording-logger.ts';
import { START } from '../../support/rows.ts';
import { silentLogger } from '../../support/silent-logger.ts';
import { onEachDatabase } from '../database/each-database.ts';

const [ONE, OTHER, THIRD] = ['1'.repeat(32), '2'.repeat(32), '3'.repeat(32)];
const DAY_MS = 86_400_000;
const WEBHOOK = { id: 'wh_a', secretVersion: 1, rotatedAt: null };

onEachDatabase('a change of SECRET_KEY', (fixture) => {
  function service() {
    const { secrets } = fixture.database;
    const [clock, logger] = [createFakeClock(START), createRecordingLogger()];
    const shared = { secrets, random: secureRandom, clock };
    const lines = () => logger.lines.map(({ message }) => message);
    return {
      clock,
      logger,
      lines,
      secrets,
      start: (secretKey: string | null, previous: string | null = null, webhooks = 3) =>
        checkSecretKey({ ...shared, logger, secretKey, previous, countWebhooks: async () => webhooks }),
      secretOf: (secretKey: string | null) =>
        createWebhookSecrets({ ...shared, logger: silentLogger, secretKey })(WEBHOOK),
    };
  }

  test('is refused with the number of webhooks and the remedy, also when the key is no longer set', async () => {
    const { start, lines } = service();
    expect(await start(ONE)).toBeNull();
    expect(await start(ONE)).toBeNull();
    await expect(start(OTHER)).rejects.toThrow(
      /^SECRET_KEY: not the key .* the secrets of 3 webhooks would change\..*SECRET_KEY_PREVIOUS to the former key/,
    );
    await expect(start(OTHER, THIRD)).rejects.toThrow('SECRET_KEY: not the key');
    await expect(start(null)).rejects.toThrow('SECRET_KEY: not set');
    expect([await start(ONE), lines()]).toEqual([null, []]);
  });

  test('with SECRET_KEY_PREVIOUS both keys sign for 24 hours from the first start, then only the new one', async () => {
    const { start, clock, lines, secretOf } = service();
    await start(ONE);
    const former = await start(OTHER, ONE);
    expect(former).toEqual({ secretKey: ONE, until: START + DAY_MS });
    await clock.advance(DAY_MS - 1);
    expect(await start(OTHER, ONE)).toEqual(former);
    const of = (key: string) => () => secretOf(key);
    const sign = createSigningSecrets(of(OTHER), clock, { secretOf: of(ONE), until: START + DAY_MS });
    expect(await sign(WEBHOOK)).toEqual([await secretOf(OTHER), await secretOf(ONE)]);
    await clock.advance(1);
    expect(await sign(WEBHOOK)).toEqual([await secretOf(OTHER)]);
    expect(await start(OTHER, ONE)).toBeNull();
    expect(lines()).toEqual([
      'SECRET_KEY has changed: webhooks are signed with the new and the former key',
      'SECRET_KEY has changed: webhooks are signed with the new and the former key',
      'SECRET_KEY_PREVIOUS has no effect any more: remove it',
    ]);
  });

  test('a process with the former key is refused from then on', async () => {
    const { start } = service();
    await start(ONE);
    await Promise.all([start(OTHER, ONE), start(OTHER, ONE)]);
    await expect(start(ONE)).rejects.toThrow('SECRET_KEY: not the key');
    expect(await start(ONE, OTHER)).toMatchObject({ secretKey: OTHER });
  });

  test('from the generated key to SECRET_KEY needs no setting, and both sign', async () => {
    const { start, secretOf, secrets } = service();
    expect(await start(null)).toBeNull();
    const generated = await secretOf(null);
    const former = await start(ONE);
    expect(await secretOf(former?.secretKey ?? '')).toBe(generated);
    expect(await secrets.get('SECRET_KEY_STATE')).not.toContain(former?.secretKey);
  });

  test('is accepted without webhooks, and where the former key is lost', async () => {
    const { start, logger } = service();
    await start(ONE);
    expect(await start(OTHER, null, 0)).toBeNull();
    expect(logger.lines).toEqual([]);
    expect(await start(THIRD, 'lost')).toBeNull();
    expect(logger.lines[0]).toMatchObject({ level: 'warn', fields: { webhooks: 3 } });
  });

  test('the stored fingerprint contains no key', async () => {
    const { start, secrets } = service();
    await start(ONE);
    expect(await secrets.get('SECRET_KEY_STATE')).not.toContain('1111');
    expect(await secrets.get('SECRET_KEY')).toBeNull();
  });
});
