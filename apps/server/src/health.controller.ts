import { timingSafeEqual } from 'node:crypto';
import { Controller, Get, Header, Inject, Req, Res } from '@nestjs/common';
import { kernelProblem, metrics, SETTINGS, type Settings } from '#kernel';
import { Access } from '#tenancy';
import type { Request, Response } from 'express';
import { Drain } from './drain.js';
import { ReadinessService } from './readiness.service.js';

/** For supervisors and Prometheus. They work on any host and need no tenant. */
@Controller()
@Access('public', 'none')
export class HealthController {
  constructor(
    private readonly readiness: ReadinessService,
    private readonly drain: Drain,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** The process answers. Never asks the database: a restart would not bring it back. */
  @Get('live')
  @Header('Cache-Control', 'no-store')
  live(): object {
    return { status: 'live' };
  }

  /** This process can serve: not stopping, database there and taking commits, shared schema migrated. */
  @Get('ready')
  @Header('Cache-Control', 'no-store')
  async ready(@Res({ passthrough: true }) response: Response): Promise<object> {
    const { reason, tenants } = this.drain.leaving ? { reason: 'stopping' } : await this.readiness.look();
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
