import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

/** The process's one registry, served at `/metrics`. No label ever holds a tenant: two hundred tenants would be two hundred series each. */
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

/** A gauge read when Prometheus asks; without a value while it cannot be read. */
export function gauge(name: string, help: string, read: () => number | Promise<number>): void {
  metrics.removeSingleMetric(name);
  new Gauge({
    name,
    help,
    registers: [metrics],
    async collect() {
      try {
        this.set(await read());
      } catch {
        this.reset();
      }
    },
  });
}
