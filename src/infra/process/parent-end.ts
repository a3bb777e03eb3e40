const LOOK_EVERY_MS = 500;

/** Calls back when the parent has ended: npm's shell passes no SIGTERM on. */
export function onParentEnd(callback: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    callback();
  }, LOOK_EVERY_MS);
  timer.unref();
}
