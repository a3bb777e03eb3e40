import { describe, expect, test } from 'vitest';
import { MetricsExport } from '../../../src/infra/telemetry/metrics.ts';

describe('metrics', () => {
  test('count what the domain reports, and show what has not happened yet as zero', async () => {
    const { metrics, render } = new MetricsExport(['retention', 'trial-ends']);
    metrics.rowDropped('late');
    metrics.tradesJudged(5);
    metrics.snapshotWritten(30, 1_234);
    metrics.detectorEvicted('wallet', 3);
    metrics.deliveryEnded('failed');
    metrics.deliveriesWaiting(7);
    metrics.jobRan('retention', 'failed');
    metrics.streamOpened();
    metrics.streamOpened();
    metrics.streamEnded('missedPing');
    metrics.streamSent(12);
    for (let time = 0; time < 2; time += 1) {
      const lines = (await render()).split('\n');
      expect(lines).toEqual(
        expect.arrayContaining([
          'tipoff_rows_dropped_total{reason="late"} 1',
          'tipoff_rows_dropped_total{reason="repeat"} 0',
          'tipoff_trades_judged_total 5',
          'tipoff_stream_sockets 1',
          'tipoff_stream_ended_total{reason="missedPing"} 1',
          'tipoff_stream_ended_total{reason="tooSlow"} 0',
          'tipoff_stream_frames_total 12',
          'tipoff_snapshot_duration_seconds_bucket{le="0.05"} 1',
          'tipoff_snapshot_bytes_total 1234',
          'tipoff_detector_evicted_total{kind="wallet"} 3',
          'tipoff_detector_evicted_total{kind="wallet_with_position"} 0',
          'tipoff_webhook_deliveries_total{outcome="failed"} 1',
          'tipoff_webhook_deliveries_total{outcome="unknown"} 0',
          'tipoff_webhook_deliveries_waiting 7',
          'tipoff_job_runs_total{job="retention",outcome="failed"} 1',
          'tipoff_job_runs_total{job="trial-ends",outcome="done"} 0',
        ]),
      );
    }
  });

  test('the state of the bots is read when the metrics are requested', async () => {
    const { watchBots, render } = new MetricsExport();
    let bots: Record<string, boolean> = {};
    watchBots({ areRunning: () => bots, missing: () => ({ telegram: 2 }) });
    expect(await render()).not.toContain('tipoff_bot_up{');
    bots = { telegram: true, discord: false };

    const lines = (await render()).split('\n');

    expect(lines).toEqual(
      expect.arrayContaining([
        'tipoff_bot_up{bot="telegram"} 1',
        'tipoff_bot_up{bot="discord"} 0',
        'tipoff_bot_setup_missing{bot="telegram"} 2',
      ]),
    );
  });

  test('answers are a histogram by route and status', async () => {
    const { onAnswer, render } = new MetricsExport();
    onAnswer('/api/v1/me', 200, 0.5);
    onAnswer('/api/v1/me', 200, 2.5);
    onAnswer('/api/v1/me', 200, 60_000);
    onAnswer('/api/v1/me', 401, 1);
    const text = await render();
    const name = 'tipoff_http_request_duration_seconds';
    const labels = 'route="/api/v1/me",status="200"';
    for (const line of [
      `${name}_bucket{${labels},le="0.001"} 1`,
      `${name}_bucket{${labels},le="0.0025"} 2`,
      `${name}_bucket{${labels},le="5"} 2`,
      `${name}_bucket{${labels},le="+Inf"} 3`,
      `${name}_sum{${labels}} 60.003`,
      `${name}_count{${labels}} 3`,
      `${name}_count{route="/api/v1/me",status="401"} 1`,
    ]) {
      expect(text.split('\n')).toContain(line);
    }
  });

  test('the text is what Prometheus reads: every line a comment or a sample, no name described twice', async () => {
    const { onAnswer, render } = new MetricsExport();
    onAnswer('/api/v1/alerts/:id', 404, 1);
    const lines = (await render())
      .trimEnd()
      .split('\n')
      .filter((line) => line !== '');
    for (const line of lines) {
      expect(line).toMatch(/^(# (HELP|TYPE) \w+ .+|\w+(\{[^{}]*\})? [-+\d.eInfNa]+)$/);
    }
    const described = lines.filter((line) => line.startsWith('# TYPE')).map((line) => line.split(' ')[2]);
    expect(new Set(described).size).toBe(described.length);
    expect(described).toContain('process_cpu_seconds_total');
  });
});
