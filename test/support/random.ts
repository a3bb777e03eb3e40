export { seededRandom } from '../../src/core/base/seeded-random.ts';
