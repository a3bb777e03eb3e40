export const ITEM_FIELDS = [
  'id',
  'alert_type',
  'wallet_address',
  'market_id',
  'event_title',
  'side',
  'outcome',
  'entry_price',
  'usdc_value',
  'signal_score',
  'category',
  'created_at',
] as const;
