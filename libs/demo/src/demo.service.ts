import { Inject, Injectable } from '@nestjs/common';
import { databaseNow, RefusedInput, SETTINGS, type Settings } from '#kernel';
import { NetworksService } from '#places';
import { TeamCodesService } from '#scan';
import { runInTenant, TenantsService, UsersService, type TenantIdentity } from '#tenancy';
import { EventCancellationsService, WaitingOffersService } from '#booking';
import { DemoContent } from './content/demo-content.js';
import { demoFestival } from './places/demo-festival.js';
import { demoProducer } from './places/demo-producer.js';
import type { DemoTenant } from './basics/demo-tenant.js';
import { demoVenue } from './places/demo-venue.js';
import { bookableEvent } from './places/demo-venue-events.js';
import { DemoPicturesService } from './pictures/demo-pictures.service.js';

export interface DemoReport {
  /** Host of the demo venue. */
  readonly host: string;
  /** Path of a page on which tickets can be booked, when the venue still has that event. */
  readonly page?: string;
  /** Set when this call created the demo's administrator. The password is not shown again. */
  readonly signIn?: { readonly email: string; readonly password: string };
  /** Slugs of the tenants that this call filled. */
  readonly created: readonly string[];
}

const teamCodeDays = 30;
const administratorEmail = 'demo@guichet.example';

/** Ensures that the demo's administrator exists; at most once per call, and only when there is something to administer. */
type Administrator = () => Promise<string>;

/** A venue and two other tenants with realistic data. */
@Injectable()
export class DemoService {
  constructor(
    private readonly tenants: TenantsService,
    private readonly users: UsersService,
    private readonly content: DemoContent,
    private readonly pictures: DemoPicturesService,
    private readonly cancellations: EventCancellationsService,
    private readonly waiting: WaitingOffersService,
    private readonly networks: NetworksService,
    private readonly teamCodes: TeamCodesService,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'metaSubdomain'>,
  ) {}

  /**
   * Creates the missing parts. A tenant with a product or an event does not change. A tenant that was created and not filled, because the
   * process died in between, is filled. When two servers start at once, the database decides which one creates a part.
   */
  async ensure(say: (line: string) => void = () => undefined): Promise<DemoReport> {
    let signIn: DemoReport['signIn'];
    let administratorId: string | undefined;
    const administrator: Administrator = async () => {
      if (administratorId) return administratorId;
      const made = await this.ensureAdministrator();
      signIn = made.signIn;
      return (administratorId = made.id);
    };

    const venue = await this.ensureTenant(demoVenue, administrator, say);
    const others = [await this.ensureTenant(demoFestival, administrator, say), await this.ensureTenant(demoProducer, administrator, say)];
    const created = [venue, ...others].filter(({ filled }) => filled).map(({ tenant }) => tenant.slug);
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
    // An empty existing tenant may belong to somebody else.
    if (existing) await this.users.grant(await administrator(), { tenantId: tenant.id });
    await this.joinAgenda(tenant);
    const { events, reservations, tickets } = content;
    await runInTenant(tenant, () => this.finish(demo, events));
    say(`demo: ${tenant.name} (${tenant.slug}): ${events.length} events, ${reservations} reservations, ${tickets} tickets`);
    return { tenant, filled: true };
  }

  private async slugOf(tenant: TenantIdentity, event: string): Promise<string | undefined> {
    return tenant.schemaState === 'current' ? runInTenant(tenant, () => this.content.slugOf(event)) : undefined;
  }

  /** What the services do in transactions of their own. */
  private async finish(demo: DemoTenant, eventIds: readonly string[]): Promise<void> {
    for (const [index, { cancelled, waiting }] of demo.events.entries()) {
      const id = eventIds[index];
      if (cancelled && id) await this.cancellations.cancel(id);
      if (waiting && id) await this.waiting.serve(id);
    }
    const expiresAt = new Date(databaseNow().getTime() + teamCodeDays * 86_400_000);
    if (demo.teamCode) await this.teamCodes.create({ ...demo.teamCode, expiresAt });
    await this.pictures.hang(demo, eventIds);
  }

  /** Makes the server's agenda show the demo's events. Does nothing without such an agenda. */
  private async joinAgenda(tenant: TenantIdentity): Promise<void> {
    const agenda = await this.tenants.bySlug(this.settings.metaSubdomain);
    if (agenda?.category !== 'M') return;
    await runInTenant(tenant, () => this.networks.ask(agenda.id, { sentTags: [] }));
    await runInTenant(agenda, () => this.networks.accept(tenant.id));
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

  private async ensureAdministrator(): Promise<{ id: string; signIn?: DemoReport['signIn'] }> {
    const existing = await this.users.findByEmail(administratorEmail);
    if (existing) return { id: existing.id };
    try {
      const { id, email, password } = await this.users.create({
        email: administratorEmail,
        name: 'Demo administrator',
      });
      return { id, signIn: { email, password } };
    } catch (error) {
      const theirs = error instanceof RefusedInput ? await this.users.findByEmail(administratorEmail) : null;
      if (theirs) return { id: theirs.id };
      throw error;
    }
  }
}
