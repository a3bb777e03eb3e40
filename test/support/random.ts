export { seededRandom } from '../../src/core/seeded-random.ts';
