// Prints `N passed, N failed, N skipped` from vitest's JSON report. A run that ended before its tests, or failed
// without a failing test, counts as one failure.
import { readFileSync } from 'node:fs';

const [file, exitCode] = process.argv.slice(2);
const count = { passed: 0, failed: 0, skipped: 0 };
try {
  const report = JSON.parse(readFileSync(file, 'utf8'));
  count.passed = report.numPassedTests;
  count.failed = report.numFailedTests;
  count.skipped = report.numPendingTests + report.numTodoTests;
} catch {}
if (exitCode !== '0') count.failed = Math.max(1, count.failed);
process.stdout.write(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped\n`);
