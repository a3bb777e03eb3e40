import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { parseConfig } from '../../../src/config.ts';
import type { Secrets } from '../../../src/core/operations/secret-store.ts';
import { secureRandom } from '../../../src/infra/secrets/key-crypto.ts';
import { checkSecretKey, createWebhookSecrets } from '../../../src/infra/secrets/secret-key.ts';
import { createRecordingLogger } from '../../support/recording-logger.ts';
import { silentLogger } from '../../support/silent-logger.ts';
import { onEachDatabase } from '../database/each-database.ts';

const [ONE, OTHER, THIRD] = ['1'.repeat(32), '2'.repeat(32), '3'.repeat(32)];
const WEBHOOK = { id: 'wh_a', secretVersion: 1, rotatedAt: null };

onEachDatabase('a change of SECRET_KEY', (fixture) => {
  function service() {
    const { secrets } = fixture.database;
    const logger = createRecordingLogger();
    const shared = { secrets, random: secureRandom };
    const lines = () => logger.lines.map(({ message }) => message);
    return {
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
    const { start, lines, secrets } = service();
    for (let again = 0; again < 2; again += 1) expect(await start(ONE)).toBeNull();
    expect([await secrets.get('SECRET_KEY'), await secrets.get('SECRET_KEY_FINGERPRINT')]).toEqual([
      null,
      expect.not.stringContaining('1111'),
    ]);
    await expect(start(OTHER)).rejects.toThrow(
      /^SECRET_KEY: not the key .* the secrets of 3 webhooks would change\..*SECRET_KEY_PREVIOUS to the former key/,
    );
    await expect(start(OTHER, THIRD)).rejects.toThrow('SECRET_KEY: not the key');
    await expect(start(null)).rejects.toThrow('SECRET_KEY: not set');
    expect([await start(ONE), lines()]).toEqual([null, []]);
  });

  test('with SECRET_KEY_PREVIOUS both keys sign while it is set, and a process with the former key alone is refused', async () => {
    const { start } = service();
    await start(ONE);
    expect(await Promise.all([start(OTHER, ONE), start(OTHER, ONE)])).toEqual([ONE, ONE]);
    expect([await start(OTHER, ONE), await start(OTHER)]).toEqual([ONE, null]);
    await expect(start(ONE)).rejects.toThrow('SECRET_KEY: not the key');
    expect(await start(ONE, OTHER)).toBe(OTHER);
  });

  test('from the generated key it needs SECRET_KEY_PREVIOUS=generated, and both sign', async () => {
    const { start, secretOf, secrets } = service();
    expect(await start(null)).toBeNull();
    const generated = await secretOf(null);
    await expect(start(ONE)).rejects.toThrow('SECRET_KEY_PREVIOUS to the former key, or to generated');
    const former = await start(ONE, 'generated');
    expect(await secretOf(former)).toBe(generated);
    expect(await secrets.get('SECRET_KEY_FINGERPRINT')).not.toBe(former);
  });

  test('is accepted without webhooks, and where the former key is lost', async () => {
    const { start, logger } = service();
    await start(ONE);
    expect(await start(OTHER, null, 0)).toBeNull();
    expect(logger.lines).toEqual([]);
    expect(await start(THIRD, 'lost')).toBeNull();
    expect(logger.lines[0]).toMatchObject({ level: 'warn', fields: { webhooks: 3 } });
  });
});

function secretsWith(secretKey: string | null, secrets: Pick<Secrets, 'getOrCreate'> = mapStore()) {
  const warnings: string[] = [];
  const logger = {
    warn: (fields: object, message: string) => void warnings.push(JSON.stringify(fields) + message),
  };
  return { secretOf: createWebhookSecrets({ secretKey, secrets, random: secureRandom, logger }), warnings };
}

function mapStore(): Pick<Secrets, 'getOrCreate'> & { readonly kept: Map<string, string> } {
  const kept = new Map<string, string>();
  return {
    kept,
    async getOrCreate(name, candidate) {
      if (!kept.has(name)) kept.set(name, candidate);
      return kept.get(name) ?? candidate;
    },
  };
}

describe('webhook secrets: “derived, not stored: HMAC of webhook id and secret version under SECRET_KEY”', () => {
  test('with SECRET_KEY set the store is not asked and nothing is logged', async () => {
    const store = mapStore();
    const key = 'x'.repeat(32);
    const { secretOf, warnings } = secretsWith(key, store);

    const secret = await secretOf(WEBHOOK);

    expect(secret).toBe(`whsec_${createHmac('sha256', key).update('wh_a.1').digest('base64')}`);
    expect(Buffer.from(secret.slice('whsec_'.length), 'base64')).toHaveLength(32);
    expect(await secretOf({ ...WEBHOOK, secretVersion: 2 })).not.toBe(secret);
    expect([store.kept.size, warnings]).toEqual([0, []]);
  });

  test('“unset: made once, kept in the database, with a warning”: at the first use, naming what to set, not the key', async () => {
    const store = mapStore();
    const { secretOf, warnings } = secretsWith(null, store);
    expect(store.kept.size).toBe(0);

    const [first, second] = await Promise.all([secretOf(WEBHOOK), secretOf(WEBHOOK)]);
    const again = await secretsWith(null, store).secretOf(WEBHOOK);

    expect([second, again]).toEqual([first, first]);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain('SECRET_KEY is not set');
    const [kept] = store.kept.values();
    expect(kept).toMatch(/^[\w-]{43}$/);
    expect(warnings[0]).not.toContain(kept);
  });
  test('a store that fails is asked again at the next use', async () => {
    const store = mapStore();
    let isAway = true;
    const getOrCreate: Secrets['getOrCreate'] = async (...given) => {
      if (isAway) throw new Error('away');
      return store.getOrCreate(...given);
    };
    const { secretOf } = secretsWith(null, { getOrCreate });
    await expect(secretOf(WEBHOOK)).rejects.toThrow('away');
    isAway = false;

    expect(await secretOf(WEBHOOK)).toMatch(/^whsec_/);
  });
});

test('SECRET_KEY below 32 characters is refused, and not repeated', () => {
  const short = 'only-31-characters-of-a-secret.';
  const parsed = parseConfig({ SECRET_KEY: short });

  expect(parsed).toEqual({ isOk: false, problems: ['SECRET_KEY: use 32 characters or more'] });
  expect(parseConfig({ SECRET_KEY: `${short}.` })).toMatchObject({ isOk: true });
});
