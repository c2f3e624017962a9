import { RecentReadings, withinMilliseconds, type ProblemBody } from '#kernel';
import { runInTenant, type TenantIdentity } from '#tenancy';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Request } from 'express';
import { limits } from '../limits.js';
import { PublicEventsService } from '../public-events/public-events.service.js';
import { sitesOf, type Venue } from '#page-kit';

/** Pages that the allowed sites may show in frames. */
const framedPath = /^\/(?:event|order)(?:\/|$)/i;

/** Several applications may run in one process. */
const readers = new WeakMap<object, ProblemVenues>();

/** Tells problem pages how the venue looks, and which sites may show them, so that the visitors of these sites see them, too. */
@Injectable()
export class ProblemVenues implements OnModuleInit {
  /** By tenant. */
  private readonly known = new RecentReadings<Venue>(limits.problemVenues.kept);

  constructor(
    private readonly events: PublicEventsService,
    private readonly host: HttpAdapterHost,
  ) {}

  onModuleInit(): void {
    readers.set(this.host.httpAdapter.getInstance<object>(), this);
  }

  /** @throws Error when the database does not answer in time */
  venue(tenant: TenantIdentity): Promise<Venue> {
    const read = (): Promise<Venue> => runInTenant(tenant, () => this.events.venue());
    return withinMilliseconds(limits.problemVenueWait.ms, this.known.read(tenant.id, read));
  }
}

/**
 * A function that reads the venue whose problem page is shown, and the origins of the sites that may show this page in a frame.
 * @returns undefined when the database is not to be asked
 */
export function problemVenue(
  request: Request,
  tenant: TenantIdentity,
  { status, code }: Pick<ProblemBody, 'status' | 'code'>,
): (() => Promise<{ readonly venue: Venue; readonly sites: readonly string[] }>) | undefined {
  const reader = readers.get(request.app);
  const isFramed = framedPath.test(request.originalUrl);
  // Refusals of many requests ask only for a reason that visitors cannot do without.
  const mayAsk = isFramed ? status < 500 || code === 'server.busy' : status < 500 && status !== 429;
  if (!reader || !mayAsk) return undefined;
  return async () => {
    const venue = await reader.venue(tenant);
    return { venue, sites: isFramed ? sitesOf(venue) : [] };
  };
}
