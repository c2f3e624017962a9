import { Injectable } from '@nestjs/common';
import { RefusedInput } from '#kernel';
import { runInTenant, TenantsService, type TenantIdentity } from '#tenancy';
import type { DemoTenant } from './basics/demo-tenant.js';
import { DemoContent } from './content/demo-content.js';
import { DemoAdministrator, type DemoSignIn } from './demo-administrator.service.js';
import { DemoFinishService } from './demo-finish.service.js';
import { demoTenants } from './places/demo-tenants.js';
import { bookableEvent } from './places/demo-venue-events.js';

export interface DemoReport {
  /** Host of the demo venue. */
  readonly host: string;
  /** Path of a page on which tickets can be booked, when the venue still has that event. */
  readonly page?: string;
  /** Set when this call created the demo's administrator. The password is not shown again. */
  readonly signIn?: DemoSignIn;
  /** Slugs of the tenants that this call filled. */
  readonly created: readonly string[];
}

/** Ensures that the demo's administrator exists; only called when there is something to administer. */
type Administrator = () => Promise<string>;

/** A venue and two other tenants with realistic data. */
@Injectable()
export class DemoService {
  constructor(
    private readonly tenants: TenantsService,
    private readonly administrator: DemoAdministrator,
    private readonly content: DemoContent,
    private readonly finishing: DemoFinishService,
  ) {}

  /**
   * Creates the missing parts. A tenant with a product or an event does not change. A tenant that was created and not filled, because the
   * process died in between, is filled; what a process leaves undone after that is the work of a job. When two servers start at once, the
   * database decides which one creates a part.
   */
  async ensure(say: (line: string) => void = () => undefined): Promise<DemoReport> {
    let signIn: DemoReport['signIn'];
    const administrator: Administrator = async () => {
      const made = await this.administrator.ensure();
      signIn ??= made.signIn;
      return made.id;
    };

    const [demoVenue, ...others] = demoTenants;
    const venue = await this.ensureTenant(demoVenue, administrator, say);
    const tenants = [venue];
    for (const other of others) tenants.push(await this.ensureTenant(other, administrator, say));
    const created = tenants.filter(({ filled }) => filled).map(({ tenant }) => tenant.slug);
    const slug = await this.slugOf(venue.tenant, bookableEvent);
    return { host: venue.tenant.host, created, ...(slug && { page: `/event/${slug}` }), ...(signIn ? { signIn } : {}) };
  }

  private async ensureTenant(
    demo: DemoTenant,
    administrator: Administrator,
    say: (line: string) => void,
  ): Promise<{ tenant: TenantIdentity; filled: boolean }> {
    const existing = await this.tenants.bySlug(demo.tenant.slug);
    const tenant = existing ?? (await this.createTenant(demo, await administrator()));
    // Another tenant that happens to have this slug.
    if (tenant.category !== demo.tenant.category) return { tenant, filled: false };
    // It waits for its migration, so it existed before.
    if (tenant.schemaState !== 'current') return { tenant, filled: false };
    const content = await runInTenant(tenant, () => this.content.fill(demo));
    if (!content) return { tenant, filled: false };
    // Creates it when the tenant existed, so that its password is reported.
    await administrator();
    await this.finishing.finish(demo, tenant);
    const { events, reservations, tickets } = content;
    say(`demo: ${tenant.name} (${tenant.slug}): ${events} events, ${reservations} reservations, ${tickets} tickets`);
    return { tenant, filled: true };
  }

  private async slugOf(tenant: TenantIdentity, event: string): Promise<string | undefined> {
    return tenant.schemaState === 'current' ? runInTenant(tenant, () => this.content.slugOf(event)) : undefined;
  }

  private async createTenant(demo: DemoTenant, ownerId: string): Promise<TenantIdentity> {
    try {
      return await this.tenants.create({ ...demo.tenant, ownerId });
    } catch (error) {
      // Another server that starts now created it.
      const theirs = error instanceof RefusedInput ? await this.tenants.bySlug(demo.tenant.slug) : undefined;
      if (theirs) return theirs;
      throw error;
    }
  }
}
