import { afterEach, describe, expect, test } from 'vitest';
import { toAlertDocument } from '../../../src/infra/database/mongo/alert-model.ts';
import { connect } from '../../../src/infra/database/mongo/connect.ts';
import { createModels } from '../../../src/infra/database/mongo/models.ts';
import { alertOf } from '../../support/alerts.ts';
import { DATABASES } from '../../support/databases.ts';

const mongo = DATABASES[1];
describe.skipIf(mongo?.available !== true)('the models of MongoDB', () => {
  const opened: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of opened.splice(0).toReversed()) await close();
  });

  async function openAlerts() {
    if (mongo === undefined) throw new Error('no MongoDB');
    const { url, drop } = await mongo.open();
    const connection = await connect(url);
    opened.push(drop, () => connection.close());
    return createModels(connection).alerts;
  }

  const document = toAlertDocument(alertOf({ id: 1, outcome: '' }), 'listing');

  test('take a document as declared, empty texts included', async () => {
    const alerts = await openAlerts();
    await alerts.insertOne(document);
    expect(await alerts.findById(1).lean()).toEqual(document);
  });

  test.each([
    ['another field', { ...document, extra: 1 }],
    ['a missing field', { ...document, wallet: undefined }],
    ['a value of another type', { ...document, usdc: 'many' }],
  ])('refuse %s', async (_, wrong) => {
    const alerts = await openAlerts();
    await expect(alerts.insertOne(wrong as never)).rejects.toThrow(/extra|wallet|usdc/);
    expect(await alerts.countDocuments()).toBe(0);
  });
});
