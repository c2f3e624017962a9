import { randomUUID } from 'node:crypto';
import { TenantsService, tenantMigrations } from '#tenancy';
import { median } from './bench-figures.js';
import { openBenchApp } from './bench-fixture.js';

const present = 100;
const measured = 20;

/** The creation of a tenant beside 100 existing ones, compared with the plain SQL script of its tables in one transaction. */
export async function runTenantBench(): Promise<void> {
  const { app, pool, close } = await openBenchApp();
  try {
    const tenants = app.get(TenantsService);
    for (let number = 0; number < present; number += 1) {
      await tenants.create({ slug: `here-${number}`, name: `Here ${number}`, category: 'S' });
    }
    const script = tenantMigrations.map(({ sql }) => sql).join('\n');
    const ours: number[] = [];
    const bare: number[] = [];
    for (let number = 0; number < measured; number += 1) {
      let started = performance.now();
      await tenants.create({ slug: `new-${number}`, name: `New ${number}`, category: 'S' });
      ours.push(performance.now() - started);
      const schema = `bare_${randomUUID().replaceAll('-', '')}`;
      started = performance.now();
      await pool.query(`begin; create schema ${schema}; set local search_path to ${schema}; ${script}; commit`);
      bare.push(performance.now() - started);
    }
    const slowest = Math.max(...ours);
    console.log(
      `Creating a tenant with ${present} tenants present: median ${median(ours).toFixed(0)} ms, slowest of ${measured} ` +
        `${slowest.toFixed(0)} ms; aim: under 300 ms.`,
    );
    console.log(
      `Ratio to the bare SQL script of its tables (median ${median(bare).toFixed(0)} ms): ${(median(ours) / median(bare)).toFixed(2)}`,
    );
  } finally {
    await close();
  }
}
