import { PostalAddressesResource } from './addresses/postal-addresses.resource.js';
import { ApiKeysResource } from './api-keys/api-keys.resource.js';
import { BoxOfficeServices } from './box-office/box-office.services.js';
import { CardReadersResource } from './card-readers/card-readers.resource.js';
import { CardsResource } from './cards/cards.resource.js';
import { TaxReceiptsResource } from './donations/tax-receipts.resource.js';
import { CampaignsResource } from './donations/campaigns.resource.js';
import { CodesResource } from './codes/codes.resource.js';
import { DiscountsResource } from './discounts/discounts.resource.js';
import { GiftCardsResource } from './gift-cards/gift-cards.resource.js';
import { NetworkCardsResource } from './gift-cards/network-cards.resource.js';
import { GateRulesResource } from './door/gate-rules.resource.js';
import { GatesResource } from './door/gates.resource.js';
import { DoubleEntriesResource } from './door/double-entries.resource.js';
import { ScanLogResource } from './door/scan-log.resource.js';
import { ScanningDevicesResource } from './door/scanning-devices.resource.js';
import { DoorPageServices } from './door-page/door.page.js';
import { EventsResource } from './events/events.resource.js';
import { EventMessageServices } from './events/event-message.action.js';
import { EventSetUpServices } from './events/event-set-up.page.js';
import { GuestListServices } from './guest-list/guest-list.page.js';
import { FollowersResource } from './mails/followers.resource.js';
import { MailServices, MailsResource } from './mails/mails.resource.js';
import { MailTextServices } from './mails/mail-texts.page.js';
import { MembershipsResource } from './memberships/memberships.resource.js';
import { MembersResource } from './networks/members.resource.js';
import { NetworkMembersResource } from './networks/network-members.resource.js';
import { NetworksResource } from './networks/networks.resource.js';
import { PeopleResource } from './people/people.resource.js';
import { PeopleServices } from './people/people.services.js';
import { RolesResource } from './people/roles.resource.js';
import { TeamCodesResource } from './pairing/team-codes.resource.js';
import { PaymentAccountResource } from './payments/payment-account.resource.js';
import { PaymentsResource } from './payments/payments.resource.js';
import { PricesResource } from './products/prices.resource.js';
import { ChangeNamesReader } from './changes/change-names.js';
import { ChangeSentences } from './changes/change-sentences.js';
import { ChangesResource } from './changes/changes.resource.js';
import { HistoryServices } from './changes/history.action.js';
import { ProductsResource } from './products/products.resource.js';
import { ProfileResource } from './profile/profile.resource.js';
import { RefundsResource } from './refunds/refunds.resource.js';
import { ReservationServices } from './reservations/reservations.actions.js';
import { ReservationsResource } from './reservations/reservations.resource.js';
import { SeriesServices } from './series/series.services.js';
import { SeriesResource } from './series/series.resource.js';
import { DatabaseServersPanel } from './server/database-servers.page.js';
import { MigrationServices, MigrationsResource } from './server/migrations.resource.js';
import { SupportVisitsResource } from './support/support-visits.resource.js';
import { DomainsResource } from './tenants/domains.resource.js';
import { PlaceRequestsResource } from './tenants/place-requests.resource.js';
import { TenantsResource } from './tenants/tenants.resource.js';
import { TenantServices } from './tenants/tenants.services.js';
import { BankEntriesResource } from './transfers/bank-entries.resource.js';
import { CustomersResource } from './transfers/customers.resource.js';
import { BankTransfersResource } from './transfers/bank-transfers.resource.js';
import { RefundOrdersResource } from './transfers/refund-orders.resource.js';
import { TicketServices } from './tickets/tickets.actions.js';
import { TicketsResource } from './tickets/tickets.resource.js';
import { AccountServices } from './account/account.services.js';
import { AdministratorsResource } from './users/administrators.resource.js';
import { OpenInvitationServices, OpenInvitationsResource } from './users/open-invitations.resource.js';
import { UsersResource } from './users/users.resource.js';
import { WaitingListResource } from './waiting-list/waiting-list.resource.js';
import { WalletsResource } from './wallets/wallets.resource.js';
import { WebhookDeliveriesResource } from './webhooks/webhook-deliveries.resource.js';
import { WebhookEndpointsResource } from './webhooks/webhook-endpoints.resource.js';
import { WelcomeServices } from './welcome/welcome.reader.js';

/** All resources of the panel and their helper providers. List a new resource here. */
export const resources = [
  AdministratorsResource,
  OpenInvitationsResource,
  ApiKeysResource,
  BankEntriesResource,
  BankTransfersResource,
  CustomersResource,
  RefundOrdersResource,
  CardsResource,
  ChangesResource,
  CampaignsResource,
  TaxReceiptsResource,
  CodesResource,
  DiscountsResource,
  GiftCardsResource,
  NetworkCardsResource,
  DomainsResource,
  DoubleEntriesResource,
  EventsResource,
  FollowersResource,
  GateRulesResource,
  GatesResource,
  MailsResource,
  MembersResource,
  MembershipsResource,
  MigrationsResource,
  NetworkMembersResource,
  NetworksResource,
  PaymentAccountResource,
  CardReadersResource,
  PaymentsResource,
  PeopleResource,
  PlaceRequestsResource,
  PostalAddressesResource,
  PricesResource,
  ProductsResource,
  ProfileResource,
  RefundsResource,
  ReservationsResource,
  RolesResource,
  SeriesResource,
  ScanLogResource,
  ScanningDevicesResource,
  SupportVisitsResource,
  TeamCodesResource,
  TenantsResource,
  TicketsResource,
  UsersResource,
  WaitingListResource,
  WalletsResource,
  WebhookDeliveriesResource,
  WebhookEndpointsResource,
];

export const resourceServices = [
  AccountServices,
  BoxOfficeServices,
  ChangeNamesReader,
  ChangeSentences,
  HistoryServices,
  DoorPageServices,
  EventSetUpServices,
  SeriesServices,
  EventMessageServices,
  GuestListServices,
  MailServices,
  MailTextServices,
  MigrationServices,
  DatabaseServersPanel,
  PeopleServices,
  OpenInvitationServices,
  ReservationServices,
  TenantServices,
  TicketServices,
  WelcomeServices,
];
