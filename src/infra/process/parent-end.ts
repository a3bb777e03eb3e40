const LOOK_EVERY_MS = 500;

/**
 * Calls back when the process that started this one has ended. npm and npx start a program through a shell; SIGTERM ends npm
 * and the shell, which does not pass it on.
 */
export function onParentEnd(callback: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    callback();
  }, LOOK_EVERY_MS);
  timer.unref();
}
