export { seededRandom } from '../../src/core/base/random.ts';
