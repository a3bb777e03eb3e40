import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { parseConfig } from '../../../src/config.ts';
import type { SecretStore } from '../../../src/core/operations/secret-store.ts';
import { secureRandom } from '../../../src/infra/secrets/key-crypto.ts';
import { createWebhookSecrets } from '../../../src/infra/secrets/webhook-secrets.ts';

const WEBHOOK = { id: 'wh_a', secretVersion: 1 };

function secretsWith(secretKey: string | null, secrets: Pick<SecretStore, 'getOrCreate'> = mapStore()) {
  const warnings: string[] = [];
  const logger = {
    warn: (fields: object, message: string) => void warnings.push(JSON.stringify(fields) + message),
  };
  return { secretOf: createWebhookSecrets({ secretKey, secrets, random: secureRandom, logger }), warnings };
}

function mapStore(): Pick<SecretStore, 'getOrCreate'> & { readonly kept: Map<string, string> } {
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

  test('the kept key can be set as SECRET_KEY later, and every secret stays', async () => {
    const store = mapStore();
    const secret = await secretsWith(null, store).secretOf(WEBHOOK);
    const [kept = ''] = store.kept.values();

    expect(await secretsWith(kept).secretOf(WEBHOOK)).toBe(secret);
  });

  test('a store that fails is asked again at the next use', async () => {
    const store = mapStore();
    let isAway = true;
    const getOrCreate: SecretStore['getOrCreate'] = async (...given) => {
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
