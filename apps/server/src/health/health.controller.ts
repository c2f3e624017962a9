import { timingSafeEqual } from 'node:crypto';
import { Controller, Get, Header, Inject, Injectable, UseGuards, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { isOfOwnMachine, reply, type Reply } from '#http';
import { kernelProblem, metrics, SETTINGS, type Settings } from '#kernel';
import { Access } from '#tenancy';
import type { Request } from 'express';
import { Drain } from '../drain.js';
import { ReadinessService } from './readiness.service.js';

/**
 * Allows reading the metrics: with `METRICS_TOKEN` to callers with this bearer token, without it to local programs that did not come
 * through a proxy.
 */
@Injectable()
class MetricsGuard implements CanActivate {
  constructor(@Inject(SETTINGS) private readonly settings: Settings) {}

  /** @throws Problem `route.unknown` for everybody else */
  canActivate(context: ExecutionContext): boolean {
    if (!this.mayRead(context.switchToHttp().getRequest<Request>())) throw kernelProblem('route.unknown');
    return true;
  }

  /** This program answers http only, so that an https address or a trusted proxy means that requests come through one. */
  private get isBehindProxy(): boolean {
    return this.settings.trustedProxies.length > 0 || this.settings.publicScheme === 'https';
  }

  private mayRead(request: Request): boolean {
    const { metricsToken } = this.settings;
    if (metricsToken) {
      const offered = Buffer.from(request.headers.authorization ?? '');
      const expected = Buffer.from(`Bearer ${metricsToken}`);
      return offered.length === expected.length && timingSafeEqual(offered, expected);
    }
    // Some proxies add no headers, therefore configured proxies and an https address count as well.
    return isOfOwnMachine(request) && !this.isBehindProxy;
  }
}

/** For supervisors and Prometheus. They work on any host and need no tenant. */
@Controller()
@Access('public', 'none')
export class HealthController {
  constructor(
    private readonly readiness: ReadinessService,
    private readonly drain: Drain,
  ) {}

  /** The process answers. Does not use the database, because a restart would not help when it is away. */
  @Get('live')
  @Header('Cache-Control', 'no-store')
  live(): object {
    return { status: 'live' };
  }

  /** The process can serve: it is not stopping, the database is reachable and commits, and the shared schema is migrated. */
  @Get('ready')
  @Header('Cache-Control', 'no-store')
  async ready(): Promise<Reply<object>> {
    const { reason, tenants, silent } = this.drain.leaving ? { reason: 'stopping' } : await this.readiness.look();
    if (!reason) return reply({ status: 'ready', ...(tenants && { tenants }), ...(silent && { silent_database_servers: silent.length }) });
    return reply({ status: 'not ready', reason }, { status: 503, headers: { 'Retry-After': '2' } });
  }

  @Get('metrics')
  @UseGuards(MetricsGuard)
  @Header('Cache-Control', 'no-store')
  async metrics(): Promise<Reply<string>> {
    return reply(await metrics.metrics(), { headers: { 'Content-Type': metrics.contentType } });
  }
}
