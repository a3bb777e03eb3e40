import { runAtTapeTime } from './run-at-tape-time.ts';
import type { ClockReading } from './tape-clock.ts';

// What time it is comes by the environment first, then by messages.
await runAtTapeTime((reading, clock) => clock.follow(reading as ClockReading));
