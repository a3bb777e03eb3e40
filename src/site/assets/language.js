/* Some browsers without a window name a language that their own number formats refuse, and uPlot asks for it. */
try {
  new Intl.NumberFormat(navigator.language);
} catch {
  Object.defineProperty(navigator, 'language', { value: 'en-US' });
}
