import { vi } from 'vitest';
import { PATIENT } from './patient.ts';

// As the configuration has it for `expect.poll`.
const { waitFor } = vi;
vi.waitFor = (check, options = PATIENT) => waitFor(check, options);
