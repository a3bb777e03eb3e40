import type { SecretStore } from '../../core/operations/secret-store.ts';
import type { OpenCollection } from './collection.ts';
import type { Declaration } from './declaration.ts';

export const SECRETS: Declaration<{ readonly name: string; readonly secret: string }> = {
  name: 'secrets',
  fields: { name: 'text', secret: 'text' },
  key: ['name'],
};

export function createSecretStore(open: OpenCollection): SecretStore {
  const secrets = open(SECRETS);
  return {
    // An upsert returns once a majority has the row, also one of another process: secrets derived from it must not change.
    getOrCreate: async (name, candidate) => (await secrets.upsert({ name, secret: candidate }, [])).secret,
  };
}
