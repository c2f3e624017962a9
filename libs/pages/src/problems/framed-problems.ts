import { RecentReadings, withinMilliseconds, type ProblemBody } from '#kernel';
import { runInTenant, type TenantIdentity } from '#tenancy';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Request } from 'express';
import { limits } from '../limits.js';
import { PublicEventsService } from '../public-events/public-events.service.js';
import { sitesOf } from '#page-kit';

/** Pages that the allowed sites may show in frames. */
const framedPath = /^\/(?:event|order)(?:\/|$)/i;

/** Several applications may run in one process. */
const readers = new WeakMap<object, FramedProblems>();

/** Tells problem pages which sites may show them, so that the visitors of these sites see them, too. */
@Injectable()
export class FramedProblems implements OnModuleInit {
  /** By tenant. */
  private readonly known = new RecentReadings<readonly string[]>(limits.framingSites.kept);

  constructor(
    private readonly events: PublicEventsService,
    private readonly host: HttpAdapterHost,
  ) {}

  onModuleInit(): void {
    readers.set(this.host.httpAdapter.getInstance<object>(), this);
  }

  /** @throws Error when the database does not answer in time */
  sites(tenant: TenantIdentity): Promise<readonly string[]> {
    const read = (): Promise<readonly string[]> => runInTenant(tenant, async () => sitesOf(await this.events.venue()));
    return withinMilliseconds(limits.framingWait.ms, this.known.read(tenant.id, read));
  }
}

/**
 * A function that reads the origins of the sites that may show a problem page in a frame.
 * @returns undefined when none may, or when the database is not to be asked
 */
export function framedProblemSites(
  request: Request,
  tenant: TenantIdentity,
  { status, code }: Pick<ProblemBody, 'status' | 'code'>,
): (() => Promise<readonly string[]>) | undefined {
  const reader = readers.get(request.app);
  const isFramed = framedPath.test(request.originalUrl);
  const mayAsk = status < 500 || code === 'server.busy';
  return reader && isFramed && mayAsk ? () => reader.sites(tenant) : undefined;
}
