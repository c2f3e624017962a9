import { limits } from '../bounds/limits.js';
import { withinMilliseconds } from './within.js';
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

/**
 * The registry of this process, served at `/metrics`. Labels never contain a tenant: with two hundred tenants, each metric would have two
 * hundred series.
 */
export const metrics = new Registry();
collectDefaultMetrics({ register: metrics, prefix: 'guichet_' });

export const requestSeconds = new Histogram({
  name: 'guichet_http_request_seconds',
  help: 'Time to answer, by route pattern, method and status class.',
  labelNames: ['route', 'method', 'status'],
  buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
  registers: [metrics],
});

export const scansTotal = new Counter({
  name: 'guichet_scans_total',
  help: 'Checks, scans and undos, by action and outcome.',
  labelNames: ['action', 'outcome'],
  registers: [metrics],
});

/**
 * A gauge that is read when Prometheus scrapes, within a second. It has no sample while it cannot be read, because 0 would mean that all
 * is well, and none when the value is undefined. While one reading hangs, no other one is started.
 */
export function gauge(name: string, help: string, read: () => number | Promise<number | undefined>): void {
  metrics.removeSingleMetric(name);
  let reading: Promise<number | undefined> | undefined;
  const readOnce = (): Promise<number | undefined> =>
    (reading ??= (async () => read())().finally(() => {
      reading = undefined;
    }));
  new Gauge({
    name,
    help,
    registers: [metrics],
    async collect() {
      try {
        const value = await withinMilliseconds(limits.gauge.ms, readOnce());
        if (value === undefined) this.remove();
        else this.set(value);
      } catch {
        this.remove();
      }
    },
  });
}
