import { Inject, Injectable } from '@nestjs/common';
import { PaymentAccounts, RefundsService, StripeCheckout } from '#payments';
import {
  AnswersService,
  Bookings,
  EmailCorrections,
  EventCancellations,
  Mails,
  Memberships,
  OnSale,
  ReservationChanges,
  Reservations,
  TicketDocuments,
  Tickets,
} from '#booking';
import { CardImportsService, CardsService } from '#cards';
import { Events, Images, PostalAddresses, Prices, Products, QuestionsService } from '#catalogue';
import { SETTINGS, type Settings } from '#kernel';
import { NetworksService, PlaceProfileService, TenantWelcomes } from '#places';
import { FulfilmentsService, Scan, ScanningDevices } from '#scan';
import {
  ApiKeys,
  BackgroundMigrations,
  Domains,
  Migrator,
  ServerHealthService,
  SessionsService,
  SupportVisitsService,
  TenantDb,
  Tenants,
  Users,
  type TenantModule,
  TenantHistory,
  TenantLife,
  UserHistory,
} from '#tenancy';
import { WebhookDeliveries, WebhookEndpoints } from '#webhooks';
import type { PanelEntry, PanelContent } from '#panel-kit';
import { administratorsResource } from './users/administrators.resource.js';
import { apiKeysResource } from './api-keys/api-keys.resource.js';
import { cardsResource } from './cards/cards.resource.js';
import { domainsResource } from './tenants/domains.resource.js';
import { eventsResource } from './events/events.resource.js';
import { mailsResource } from './mails/mails.resource.js';
import { membershipsResource } from './memberships/memberships.resource.js';
import { membersResource } from './networks/members.resource.js';
import { migrationsResource } from './server/migrations.resource.js';
import { networkMembersResource } from './networks/network-members.resource.js';
import { networksResource } from './networks/networks.resource.js';
import { ofModule, panelWords } from '#panel-kit';
import { paymentAccountResource } from './payments/payment-account.resource.js';
import { paymentsResource } from './payments/payments.resource.js';
import { postalAddressesResource } from './addresses/postal-addresses.resource.js';
import { pricesResource } from './products/prices.resource.js';
import { productsResource } from './products/products.resource.js';
import { profileResource } from './profile/profile.resource.js';
import { refundsResource } from './refunds/refunds.resource.js';
import { reservationsResource } from './reservations/reservations.resource.js';
import { scanLogResource } from './door/scan-log.resource.js';
import { scanningDevicesResource } from './door/scanning-devices.resource.js';
import { sessionsResource } from './users/sessions.resource.js';
import { serverFigures } from './server/server.reader.js';
import { supportVisitsResource } from './support/support-visits.resource.js';
import { tenantsResource } from './tenants/tenants.resource.js';
import { ticketsResource } from './tickets/tickets.resource.js';
import { tonight } from './start-page/tonight.reader.js';
import { usersResource } from './users/users.resource.js';
import { webhookDeliveriesResource } from './webhooks/webhook-deliveries.resource.js';
import { webhookEndpointsResource } from './webhooks/webhook-endpoints.resource.js';
import { welcomeOf } from './welcome/welcome.reader.js';
import { welcomeRouter } from './welcome/welcome.router.js';

/** What is sold and paid for, whether tickets or memberships. */
const sales: readonly TenantModule[] = ['membership', 'ticketing'];

/** Every resource of the panel, over the services that the API uses. A new one is listed here. */
@Injectable()
export class PanelContents {
  /** The tenants' panel, whose words also say what was done in a support visit. */
  private tenantEntries: readonly PanelEntry[] = [];

  constructor(
    private readonly db: TenantDb,
    private readonly events: Events,
    private readonly products: Products,
    private readonly prices: Prices,
    private readonly questions: QuestionsService,
    private readonly answers: AnswersService,
    private readonly corrections: EmailCorrections,
    private readonly images: Images,
    private readonly addresses: PostalAddresses,
    private readonly tickets: Tickets,
    private readonly onSale: OnSale,
    private readonly bookings: Bookings,
    private readonly reservations: Reservations,
    private readonly changes: ReservationChanges,
    private readonly cancellations: EventCancellations,
    private readonly memberships: Memberships,
    private readonly refunds: RefundsService,
    private readonly mails: Mails,
    private readonly documents: TicketDocuments,
    private readonly accounts: PaymentAccounts,
    private readonly stripe: StripeCheckout,
    private readonly scan: Scan,
    private readonly fulfilments: FulfilmentsService,
    private readonly devices: ScanningDevices,
    private readonly keys: ApiKeys,
    private readonly endpoints: WebhookEndpoints,
    private readonly deliveries: WebhookDeliveries,
    private readonly profiles: PlaceProfileService,
    private readonly networks: NetworksService,
    private readonly welcomes: TenantWelcomes,
    private readonly tenants: Tenants,
    private readonly life: TenantLife,
    private readonly history: TenantHistory,
    private readonly domains: Domains,
    private readonly users: Users,
    private readonly cards: CardsService,
    private readonly cardImports: CardImportsService,
    private readonly migrator: Migrator,
    private readonly background: BackgroundMigrations,
    private readonly health: ServerHealthService,
    private readonly userHistory: UserHistory,
    private readonly sessions: SessionsService,
    private readonly visits: SupportVisitsService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** What a place shows; of it only what its category has. */
  ofTenant(): PanelContent {
    const {
      events,
      onSale,
      bookings,
      reservations,
      changes,
      refunds,
      mails,
      documents,
      answers,
      corrections,
      tickets,
      scan,
      fulfilments,
    } = this;
    this.tenantEntries = [
      ofModule('scanning', scanningDevicesResource(this.db, this.devices)),
      ofModule('scanning', scanLogResource(this.db)),
      ofModule(
        'ticketing',
        reservationsResource(this.db, {
          onSale,
          bookings,
          reservations,
          changes,
          refunds,
          mails,
          documents,
          answers,
          corrections,
          events,
        }),
      ),
      ofModule('ticketing', ticketsResource(this.db, { tickets, reservations, changes, scan, fulfilments, documents })),
      ofModule(
        'membership',
        membershipsResource(this.db, this.memberships, refunds, mails, answers, documents, corrections),
      ),
      ofModule(sales, paymentsResource(this.db)),
      ofModule(sales, refundsResource(this.db, refunds)),
      ofModule(sales, mailsResource(this.db, { mails, corrections, reservations, memberships: this.memberships })),
      ofModule('events', eventsResource(this.db, this.events, this.cancellations, mails, this.images)),
      ofModule(sales, productsResource(this.db, this.products, this.questions, this.images)),
      ofModule(sales, pricesResource(this.db, this.prices)),
      ofModule('events', postalAddressesResource(this.db, this.addresses, this.images)),
      ofModule('events', networksResource(this.db, this.networks)),
      ofModule('federated-agenda', membersResource(this.db, this.networks)),
      ofModule(sales, paymentAccountResource(this.accounts, this.stripe, this.settings)),
      profileResource(this.profiles, this.images),
      apiKeysResource(this.db, this.keys),
      ofModule('events', webhookEndpointsResource(this.db, this.endpoints, this.deliveries)),
      ofModule('events', webhookDeliveriesResource(this.db, this.deliveries)),
      supportVisitsResource(this.db, 'tenant', () => this.tenantEntries),
      sessionsResource(this.db, this.sessions),
    ];
    const welcome = welcomeOf(this.db, this.welcomes);
    return {
      entries: this.tenantEntries,
      tonight: () => tonight(this.db, this.settings, welcome),
      routes: (assets) => welcomeRouter(welcome, assets),
      readCode: async (text) => {
        const judged = await scan.judgeCode(text);
        if ('ticketId' in judged) return { id: judged.ticketId };
        return 'fault' in judged && judged.fault === 'forged' ? 'forged' : undefined;
      },
    };
  }

  /** What the server shows, to super-users. */
  ofRoot(): PanelContent {
    return {
      entries: [
        tenantsResource(this.db, {
          tenants: this.tenants,
          life: this.life,
          history: this.history,
          deleteDays: this.settings.tenantDeleteDays,
          visits: this.visits,
        }),
        domainsResource(this.db, this.domains, this.tenants),
        usersResource(this.db, this.users, this.userHistory),
        administratorsResource(this.db, this.users),
        networkMembersResource(this.db),
        cardsResource(this.db, this.cards, this.cardImports),
        supportVisitsResource(this.db, 'root', () => this.tenantEntries),
        migrationsResource(this.db, {
          migrator: this.migrator,
          background: this.background,
          health: this.health,
          settings: this.settings,
        }),
        sessionsResource(this.db, this.sessions),
      ],
      tonight: () => serverFigures(this.db, this.migrator, this.settings),
      startTitle: {
        en: panelWords('en').components.Tonight.rootTitle,
        fr: panelWords('fr').components.Tonight.rootTitle,
      },
    };
  }
}
