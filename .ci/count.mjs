// Prints `N passed, N failed, N skipped`, the sum of vitest's JSON reports. Where a run ended before its tests or failed
// without a failing test, one failure is counted.
import { readFileSync } from 'node:fs';

const [exitCode, ...files] = process.argv.slice(2);
const count = { passed: 0, failed: 0, skipped: 0 };
for (const file of files) {
  try {
    const report = JSON.parse(readFileSync(file, 'utf8'));
    count.passed += report.numPassedTests;
    count.failed += report.numFailedTests;
    count.skipped += report.numPendingTests + report.numTodoTests;
  } catch {}
}
if (exitCode !== '0') count.failed = Math.max(1, count.failed);
process.stdout.write(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped\n`);
