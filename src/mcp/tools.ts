import type { Tool } from './tool.ts';
import { getAlert, listAlerts } from './tools/alerts.ts';
import { getCoverage, getRecord, previewFilter } from './tools/figures.ts';
import { getMarket, getWallet, searchMarkets } from './tools/reports.ts';

export const TOOLS: readonly Tool[] = [
  listAlerts,
  getAlert,
  getWallet,
  getMarket,
  searchMarkets,
  getRecord,
  previewFilter,
  getCoverage,
];
