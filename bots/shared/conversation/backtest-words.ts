/** The result of the backtest in docs/reading-alerts.md, which states how it was made. */
export const BACKTEST_WORDS =
  'on the tape of the 2022 US midterms 109 of 222 alerts were right, where the prices paid needed 57 % to break even: no evidence that they beat the price';
