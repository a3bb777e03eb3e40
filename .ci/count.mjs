// Prints what failed, each with its message, then `N passed, N failed, N skipped`, the sum of vitest's JSON reports. Where
// a run ended before its tests or failed without a failing test, one failure is counted.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

const [exitCode, ...files] = process.argv.slice(2);
const count = { passed: 0, failed: 0, skipped: 0 };
const print = (/** @type {string} */ line) => process.stdout.write(`${line}\n`);
for (const file of files) {
  try {
    const report = JSON.parse(readFileSync(file, 'utf8'));
    count.passed += report.numPassedTests;
    count.failed += report.numFailedTests;
    count.skipped += report.numPendingTests + report.numTodoTests;
    for (const { name, status, message, assertionResults } of report.testResults) {
      const failed = assertionResults.filter((test) => test.status === 'failed');
      if (status === 'failed' && failed.length === 0) print(`FAILED ${relative('.', name)}\n${message}`);
      for (const test of failed) {
        print(`FAILED ${relative('.', name)}: ${test.fullName}\n${test.failureMessages.join('\n')}`);
      }
    }
  } catch {}
}
if (exitCode !== '0') count.failed = Math.max(1, count.failed);
print(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
