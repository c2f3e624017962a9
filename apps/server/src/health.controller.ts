import { timingSafeEqual } from 'node:crypto';
import { Controller, Get, Header, Inject, Req, Res } from '@nestjs/common';
import { kernelProblem, metrics, SETTINGS, type Settings } from '#kernel';
import { Access, BackgroundMigrations, Migrator, TenantDb, type MigrationStatus } from '#tenancy';
import type { Request, Response } from 'express';
import { Drain } from './drain.js';

/** So long an answer about migrations is kept. */
const migrationStatusMs = 2000;

interface Readiness {
  /** Why the process cannot serve; undefined when it can. */
  readonly reason?: string;
  /** How many tenants answer 503 because their tables do not fit this program; undefined when none does. */
  readonly tenants?: { readonly behind: number; readonly newer: number };
}

/** For supervisors and Prometheus. They work on any host and need no tenant. */
@Controller()
@Access('public', 'none')
export class HealthController {
  private migrations: { readonly status: Promise<MigrationStatus>; readonly at: number } | undefined;

  constructor(
    private readonly db: TenantDb,
    private readonly migrator: Migrator,
    private readonly background: BackgroundMigrations,
    private readonly drain: Drain,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** The process answers. Never asks the database: a restart would not bring it back. */
  @Get('live')
  @Header('Cache-Control', 'no-store')
  live(): object {
    return { status: 'live' };
  }

  /** This process can serve: not stopping, database there, schemas migrated. */
  @Get('ready')
  @Header('Cache-Control', 'no-store')
  async ready(@Res({ passthrough: true }) response: Response): Promise<object> {
    const { reason, tenants } = this.drain.leaving ? { reason: 'stopping' } : await this.readiness();
    if (!reason) return { status: 'ready', ...(tenants ? { tenants } : {}) };
    response.status(503).set('Retry-After', '2');
    return { status: 'not ready', reason };
  }

  @Get('metrics')
  @Header('Cache-Control', 'no-store')
  async metrics(@Req() request: Request, @Res() response: Response): Promise<void> {
    if (!this.mayRead(request)) throw kernelProblem('route.unknown');
    response.type(metrics.contentType).send(await metrics.metrics());
  }

  private async readiness(): Promise<Readiness> {
    try {
      await withinMilliseconds(1000, this.db.ping());
      const { shared, tenants } = await withinMilliseconds(2000, this.migrationStatus());
      if (tenants.behind > 0) this.background.wake();
      // One tenant's trouble is no reason to take a server away from all others.
      const allUnfit = tenants.total > 0 && tenants.behind + tenants.newer === tenants.total;
      if (shared.current < shared.latest || allUnfit) return { reason: 'migrations pending' };
      const { behind, newer } = tenants;
      return behind + newer > 0 ? { tenants: { behind, newer } } : {};
    } catch {
      return { reason: 'database unreachable' };
    }
  }

  /** Looked up every few seconds, because older processes of a rolling upgrade still make tenants. */
  private migrationStatus(): Promise<MigrationStatus> {
    const now = performance.now();
    if (!this.migrations || now - this.migrations.at > migrationStatusMs) {
      const status = this.migrator.status();
      const kept = (this.migrations = { status, at: now });
      status.catch(() => {
        if (this.migrations === kept) this.migrations = undefined;
      });
    }
    return this.migrations.status;
  }

  /** With `METRICS_TOKEN`, its bearer; without, programs on this machine that did not come through a proxy. */
  private mayRead(request: Request): boolean {
    const { metricsToken } = this.settings;
    if (metricsToken) {
      const offered = Buffer.from(request.headers.authorization ?? '');
      const expected = Buffer.from(`Bearer ${metricsToken}`);
      return offered.length === expected.length && timingSafeEqual(offered, expected);
    }
    const { remoteAddress = '' } = request.socket;
    const local = /^(::1|(::ffff:)?127\.)/.test(remoteAddress);
    return local && request.headers['x-forwarded-for'] === undefined && request.headers['forwarded'] === undefined;
  }
}

async function withinMilliseconds<Result>(limit: number, work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('too slow')), limit);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
