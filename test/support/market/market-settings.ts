/** The settings with which a service takes what listens at this host and port for the market, streams included. */
export function marketSettings(host: string) {
  return {
    POLYMARKET_DATA_URL: `http://${host}`,
    POLYMARKET_GAMMA_URL: `http://${host}`,
    POLYMARKET_STREAM_URL: `ws://${host}`,
    POLYMARKET_CLOB_URL: `ws://${host}`,
  };
}
