/** What is waited for takes many times its own time on a machine that does much else; what never comes fails its test. */
export const PATIENT = { timeout: 60_000, interval: 5 };
