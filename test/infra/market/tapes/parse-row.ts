import { createRowParser } from '../../../../src/infra/market/tapes/row-schema.ts';
import { TODAY } from './source-fixture.ts';

export const parser = createRowParser(() => 'politics');
export const parse = (row: unknown) => parser(JSON.stringify(row), TODAY);
export const reasonOf = (row: unknown) => {
  const parsed = parse(row);
  return parsed.kind === 'bad' ? `${parsed.reason}: ${parsed.detail}` : parsed.kind;
};
