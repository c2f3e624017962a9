/**
 * A request of the twin-tenant matrix. Placeholders such as `{event}` are ids of the other tenant; `{ours}` is an event of the tenant whose
 * host receives the request.
 */
export interface TwinRequest {
  readonly method: 'get' | 'post' | 'patch' | 'delete';
  readonly path: string;
  readonly body?: unknown;
  /** The kind of key to send; default: none. */
  readonly key?: 'integration' | 'device';
}

const api = (method: TwinRequest['method'], path: string, body?: unknown): TwinRequest => ({
  method,
  path,
  key: 'integration',
  ...(body !== undefined && { body }),
});
const door = (method: TwinRequest['method'], path: string, body?: unknown): TwinRequest => ({
  ...api(method, path, body),
  key: 'device',
});
const page = (path: string): TwinRequest => ({ method: 'get', path });

const undo = { reason: 'a mistake' };
const line = { identifier: '{offer}', ticketQuantity: 1 };
const guest = { email: 'ada@example.org' };

const journalLine = JSON.stringify({
  scan_id: '{ticket}',
  sequence: 1,
  ticket: '{ticket}',
  verdict: 'admitted',
  mode: 'offline',
  device_time: '2026-11-20T20:31:07Z',
});

/** Every route of the program, with requests that name ids of another tenant or that could return such ids. */
export const twinRows: Readonly<Record<string, readonly TwinRequest[]>> = {
  'HealthController.live': [page('/live')],
  'HealthController.ready': [page('/ready')],
  // Counters of the whole server, without names; protected by METRICS_TOKEN.
  'HealthController.metrics': [],
  // Answers 200 for the host of any tenant, by design.
  'TlsAskController.ask': [],
  // Only the first Meta lists places, and these records are public. On other hosts all ids are unknown.
  'PlacesController.list': [page('/api/place/')],
  'PlacesController.get': [page('/api/place/{place}')],
  'PlacesController.create': [api('post', '/api/place/', { organisation: '{place}' })],
  'PlacePicturesController.show': [page('/images/{place}/{image}/med.webp')],
  // The form for new places belongs to no tenant; only the first Meta has it.
  'NewPlaceController.show': [page('/tenant/new/?name={place}')],
  'NewPlaceController.sent': [page('/tenant/new/sent')],
  'NewPlaceController.send': [{ method: 'post', path: '/tenant/new/', body: { name: '{place}' } }],
  'ConfirmController.show': [],
  'ConfirmController.confirm': [],
  'ConfirmController.password': [],
  'AgendaController.home': [page('/')],
  'AgendaController.json': [page('/agenda.json')],
  'AgendaController.calendar': [page('/agenda.ics')],
  'AgendaController.feed': [page('/agenda.rss')],
  'EventController.calendar': [page('/event/{slug}.ics'), page('/event/{event}.ics')],
  'EventController.json': [page('/event/{slug}.json'), page('/event/{event}.json')],
  'EmbedController.script': [page('/embed.js')],
  'EventController.picture': [page('/event/{slug}.png'), page('/event/{event}.png')],
  'EventController.preview': [page('/event/{slug}/preview/{previewKey}')],
  'EventController.page': [page('/event/{slug}'), page('/event/{event}')],
  'CrawlersController.sitemap': [page('/sitemap.xml')],
  'CrawlersController.robots': [page('/robots.txt')],
  'LegalController.imprint': [page('/imprint')],
  'LegalController.terms': [page('/terms')],
  'NetworkController.places': [page('/places')],
  // Static files of the program.
  'PageAssetsController.file': [],
  // The scanner app: static files, and a manifest with the place's own name.
  'DoorAppController.shell': [page('/door/')],
  'DoorAppController.manifest': [page('/door/manifest.webmanifest')],
  'DoorAppController.file': [page('/door/icon.svg')],
  'TicketsController.book': [{ method: 'post', path: '/event/{slug}/book', body: { price: '{offer}', quantity: '1' } }],
  'QueueController.show': [page('/event/{slug}/queue/{orderLink}')],
  'TicketsController.show': [page('/order/{orderLink}/tickets')],
  'TicketsController.change': [{ method: 'post', path: '/order/{orderLink}/tickets', body: { price: '{offer}', quantity: '1' } }],
  'OrderController.show': [page('/order/{orderLink}')],
  'OrderController.complete': [{ method: 'post', path: '/order/{orderLink}', body: { email: 'ada@example.org' } }],
  'OrderController.sendAgain': [{ method: 'post', path: '/order/{orderLink}/email', body: { email: 'ada@example.org' } }],
  'MembershipsController.offers': [page('/memberships')],
  'MembershipsController.form': [page('/memberships/{membershipOffer}')],
  'MembershipsController.join': [{ method: 'post', path: '/memberships/{membershipOffer}', body: { email: guest.email } }],
  'MembershipsController.confirmPage': [page('/memberships/confirm/{membershipLink}')],
  'MembershipsController.confirm': [{ method: 'post', path: '/memberships/confirm/{membershipLink}' }],
  'MembershipsController.renewPage': [page('/membership/{membershipLink}/renew')],
  'MembershipsController.renew': [{ method: 'post', path: '/membership/{membershipLink}/renew' }],
  'WaitingController.join': [{ method: 'post', path: '/event/{slug}/wait', body: { price: '{offer}', quantity: '1', email: guest.email } }],
  'WaitingController.show': [page('/waiting/{waitingLink}')],
  'WaitingController.confirm': [{ method: 'post', path: '/waiting/{waitingLink}/confirm' }],
  'WaitingController.leave': [{ method: 'post', path: '/waiting/{waitingLink}/leave' }],
  'WaitingController.book': [{ method: 'post', path: '/waiting/{waitingLink}/book' }],
  // It only reads the signed cookie.
  'CartController.show': [],
  'CartController.add': [{ method: 'post', path: '/cart/event/{slug}', body: { price: '{offer}', quantity: '1' } }],
  'GoodsController.show': [page('/shop')],
  'CartController.addGoods': [{ method: 'post', path: '/cart/goods', body: { event: '{event}', price: '{offer}', quantity: '1' } }],
  'CartController.join': [{ method: 'post', path: '/cart/membership/{membershipOffer}' }],
  'CartController.donate': [{ method: 'post', path: '/cart/{cartLink}/donation', body: { donation: '5' } }],
  'CartController.remove': [{ method: 'post', path: '/cart/{cartLink}/remove', body: { part: '{reservation}' } }],
  'CartOrderController.show': [page('/cart/{cartLink}')],
  'CartOrderController.save': [{ method: 'post', path: '/cart/{cartLink}/save', body: { membership: '{membershipOffer}', sum: '1.00' } }],
  'CartOrderController.contact': [page('/cart/{cartLink}/contact')],
  'CartOrderController.complete': [{ method: 'post', path: '/cart/{cartLink}/contact', body: { email: 'ada@example.org' } }],
  'CartOrderController.sendAgain': [{ method: 'post', path: '/cart/{cartLink}/email', body: { email: 'ada@example.org' } }],
  // These read the cookie of a session, which belongs to one tenant (`accounts`).
  'AccountLinkController.ask': [{ method: 'post', path: '/account', body: { email: guest.email } }],
  'AccountLinkController.show': [page('/account/open/{accountLink}')],
  'AccountLinkController.open': [{ method: 'post', path: '/account/open/{accountLink}' }],
  'AccountLinkController.signOut': [{ method: 'post', path: '/account/sign-out' }],
  'AccountController.show': [page('/account')],
  'AccountController.data': [page('/account/data.json')],
  'AccountController.askErasure': [page('/account/erase')],
  'AccountController.erase': [{ method: 'post', path: '/account/erase', body: { sure: 'yes' } }],
  'HolderController.reservation': [page('/reservation/{reservationLink}')],
  'HolderController.confirm': [{ method: 'post', path: '/reservation/{reservationLink}/confirm' }],
  'HolderController.pdf': [page('/reservation/{reservationLink}/tickets.pdf')],
  'HolderController.applePasses': [page('/reservation/{reservationLink}/tickets.pkpasses')],
  'HolderController.receipt': [page('/reservation/{reservationLink}/receipt.pdf')],
  'HolderController.membership': [page('/membership/{membershipLink}')],
  'HolderController.card': [page('/membership/{membershipLink}/card.pdf')],
  'HolderController.membershipReceipt': [page('/membership/{membershipLink}/receipt.pdf')],
  'HolderCancellationController.ask': [
    page('/reservation/{reservationLink}/cancel'),
    page('/reservation/{reservationLink}/tickets/{ticket}/cancel'),
    page('/ticket/{ticketLink}/cancel'),
  ],
  'HolderCancellationController.cancel': [
    { method: 'post', path: '/reservation/{reservationLink}/cancel' },
    { method: 'post', path: '/reservation/{reservationLink}/tickets/{ticket}/cancel' },
    { method: 'post', path: '/ticket/{ticketLink}/cancel' },
  ],
  'HolderTicketsController.show': [page('/ticket/{ticketLink}')],
  'TicketTransferController.ask': [page('/reservation/{reservationLink}/tickets/{ticket}/transfer')],
  'TicketTransferController.withdraw': [
    { method: 'post', path: '/reservation/{reservationLink}/tickets/{ticket}/transfer/withdraw' },
    { method: 'post', path: '/ticket/{ticketLink}/transfer/withdraw' },
  ],
  'GiftController.show': [page('/gift/{giftLink}')],
  'GiftController.accept': [{ method: 'post', path: '/gift/{giftLink}' }],
  'TicketTransferController.offer': [
    {
      method: 'post',
      path: '/reservation/{reservationLink}/tickets/{ticket}/transfer',
      body: { email: 'ours@example.org', first_name: 'Ours', last_name: '' },
    },
    { method: 'post', path: '/ticket/{ticketLink}/transfer', body: { email: 'ours@example.org', first_name: 'Ours', last_name: '' } },
  ],
  'TicketFilesController.pdf': [page('/reservation/{reservationLink}/tickets/{ticket}/ticket.pdf')],
  'TicketFilesController.calendar': [page('/reservation/{reservationLink}/tickets/{ticket}/event.ics')],
  'TicketFilesController.applePass': [
    page('/reservation/{reservationLink}/tickets/{ticket}/ticket.pkpass'),
    page('/ticket/{ticketLink}/ticket.pkpass'),
  ],
  'TicketFilesController.googlePass': [page('/reservation/{reservationLink}/tickets/{ticket}/google-wallet')],
  'HolderTicketsController.askName': [page('/reservation/{reservationLink}/tickets/{ticket}/rename')],
  'HolderTicketsController.rename': [
    { method: 'post', path: '/reservation/{reservationLink}/tickets/{ticket}/rename', body: { first_name: 'Ours', last_name: '' } },
  ],
  'PaymentEventsController.receive': [{ method: 'post', path: '/payments/stripe', body: { id: '{reservation}' } }],
  'ImagesController.show': [page('/images/{image}/med.webp'), page('/images/{image}/fhd.png')],
  'LegacyProductsController.list': [page('/api/products/'), api('get', '/api/products/')],
  'LegacyProductsController.create': [],
  'LegacyPricesController.list': [page('/api/prices/'), api('get', '/api/prices/')],
  'LegacyPricesController.createOrList': [api('post', '/api/prices/', { product: '{product}', name: 'Full', prix: 5 })],
  'PairingController.look': [{ method: 'get', path: '/scan/{pairingToken}/pair' }],
  'PairingController.pairByGet': [{ method: 'get', path: '/scan/{pairingToken}/pair' }],
  'PairingController.pairByPost': [{ method: 'post', path: '/scan/{pairingToken}/pair' }],
  'PairController.pair': [
    { method: 'post', path: '/scan/pair/', body: { code: '{pairingToken}', installation: 'A'.repeat(43) } },
    { method: 'post', path: '/scan/pair/', body: { code: '{teamCode}', installation: 'A'.repeat(43) } },
  ],
  // Stores the ids that a device sends without looking them up, and answers with the time, which differs between two requests.
  'ContactController.hear': [],
  // The token stands in the header, which this matrix does not send; `device-care` sends that of another tenant.
  'QuarantineController.keep': [{ method: 'post', path: '/scan/quarantine/', body: { lines: ['{quarantineToken}'] } }],
  'ReferencesController.find': [door('post', '/scan/reference/', { event_uuid: '{ours}', reference: '{ticket}' })],
  'ScanController.testApi': [],
  'ScanController.keys': [],
  'ScanController.checkTicket': [
    door('post', '/scan/check_ticket/', { qrcode_data: '{code}' }),
    door('post', '/scan/check_ticket/', { qrcode_data: '{card}' }),
    door('post', '/scan/check_ticket/', { qrcode_data: '{code}', gate: '{gate}' }),
  ],
  'ScanController.scanTicket': [],
  'ScanController.undo': [door('post', '/scan/undo/', { ticket_uuid: '{ticket}', ...undo })],
  'FulfilmentsController.fulfil': [door('post', '/scan/fulfil/', { qrcode_data: '{code}' })],
  'FulfilmentsController.undo': [door('post', '/scan/undo_fulfil/', { ticket_uuid: '{ticket}', ...undo })],
  'JournalController.record': [door('post', '/scan/batch/', { lines: [journalLine] })],
  'PackController.pack': [door('get', '/scan/pack/?event={event}'), door('get', '/scan/pack/?event={event}&names=sealed')],
  'PackController.names': [door('get', '/scan/names/?event={event}')],
  'DoorStatusController.show': [door('get', '/scan/status/?event={event}')],
  'DoorListsController.events': [door('get', '/scan/events/')],
  'DoorListsController.listTickets': [door('post', '/scan/list_tickets/', { event_uuid: '{event}' })],
  'DoorListsController.searchTickets': [
    door('post', '/scan/search_ticket/', { event_uuid: '{event}', search: 'a' }),
    door('post', '/scan/search_ticket/', { event_uuid: '{ours}', search: '{ticket}' }),
  ],
  'SemanticEventsController.list': [api('get', '/api/v2/events/')],
  'SemanticEventsController.create': [
    api('post', '/api/v2/events/', { name: 'Child', startDate: '2027-01-01T20:00:00Z', superEvent: '{event}' }),
  ],
  'SemanticEventsController.get': [api('get', '/api/v2/events/{event}/'), api('get', '/api/v2/events/{slug}/')],
  'SemanticEventsController.change': [
    api('patch', '/api/v2/events/{event}/', { name: 'Ours now' }),
    api('patch', '/api/v2/events/{ours}/', { superEvent: '{event}' }),
  ],
  'SemanticEventsController.remove': [api('delete', '/api/v2/events/{event}/'), api('delete', '/api/v2/events/{slug}/')],
  'SemanticEventsController.linkAddress': [
    api('post', '/api/v2/events/{event}/link-address/', { postalAddressId: 1 }),
    api('post', '/api/v2/events/{ours}/link-address/', { postalAddressId: '{address}' }),
  ],
  'SemanticEventsController.linkProduct': [
    api('post', '/api/v2/events/{event}/link-product/', { productId: '{product}' }),
    api('post', '/api/v2/events/{ours}/link-product/', { productId: '{product}' }),
  ],
  'SemanticEventOptionsController.list': [api('get', '/api/v2/events/{event}/options/')],
  'SemanticEventOptionsController.create': [api('post', '/api/v2/events/{event}/options/', { kind: 'radio', name: 'Ours' })],
  'SemanticEventOptionsController.get': [
    api('get', '/api/v2/events/{event}/options/{option}/'),
    api('get', '/api/v2/events/{ours}/options/{option}/'),
  ],
  'SemanticEventOptionsController.change': [
    api('patch', '/api/v2/events/{ours}/options/{option}/', { name: 'Ours' }),
    api('patch', '/api/v2/events/{event}/options/{option}/', { name: 'Ours' }),
  ],
  'SemanticEventOptionsController.remove': [
    api('delete', '/api/v2/events/{ours}/options/{option}/'),
    api('delete', '/api/v2/events/{event}/options/{option}/'),
  ],
  'SemanticProductsController.list': [api('get', '/api/v2/products/')],
  'SemanticProductsController.create': [],
  'SemanticProductsController.get': [api('get', '/api/v2/products/{product}/')],
  'SemanticProductsController.change': [api('patch', '/api/v2/products/{product}/', { name: 'Ours' })],
  'SemanticProductsController.remove': [api('delete', '/api/v2/products/{product}/')],
  'SemanticOffersController.list': [api('get', '/api/v2/products/{product}/offers/')],
  'SemanticOffersController.create': [api('post', '/api/v2/products/{product}/offers/', { name: 'Ours', price: 1 })],
  'SemanticOffersController.get': [api('get', '/api/v2/products/{product}/offers/{offer}/')],
  'SemanticOffersController.change': [api('patch', '/api/v2/products/{product}/offers/{offer}/', { name: 'Ours' })],
  'SemanticOffersController.remove': [api('delete', '/api/v2/products/{product}/offers/{offer}/')],
  'SemanticPostalAddressesController.list': [api('get', '/api/v2/postal-addresses/')],
  'SemanticPostalAddressesController.create': [],
  'SemanticPostalAddressesController.get': [api('get', '/api/v2/postal-addresses/{address}/')],
  'SemanticPostalAddressesController.change': [api('patch', '/api/v2/postal-addresses/{address}/', { streetAddress: 'Ours' })],
  'SemanticPostalAddressesController.remove': [api('delete', '/api/v2/postal-addresses/{address}/')],
  'SemanticReservationsController.list': [api('get', '/api/v2/reservations/'), api('get', '/api/v2/reservations/?event={event}')],
  'SemanticReservationsController.create': [
    api('post', '/api/v2/reservations/', { reservationFor: '{event}', underName: guest, reservedTicket: [line] }),
    api('post', '/api/v2/reservations/', { reservationFor: '{ours}', underName: guest, reservedTicket: [line] }),
  ],
  'SemanticReservationsController.get': [api('get', '/api/v2/reservations/{reservation}/')],
  'SemanticReservationsController.change': [
    api('patch', '/api/v2/reservations/{reservation}/', {
      reservationStatus: 'https://schema.org/ReservationCancelled',
    }),
  ],
  'SemanticMembershipsController.list': [api('get', '/api/v2/memberships/')],
  'SemanticMembershipsController.create': [api('post', '/api/v2/memberships/', { member: guest, membershipPlan: '{membershipOffer}' })],
  'SemanticMembershipsController.get': [api('get', '/api/v2/memberships/{membership}/')],
  'SemanticMembershipsController.change': [api('patch', '/api/v2/memberships/{membership}/', { status: 'cancelled' })],
  'SemanticCardsController.get': [api('get', '/api/v2/cards/{card}/')],
  'LegacyEventsController.list': [page('/api/events/')],
  'LegacyEventsController.get': [page('/api/events/{event}')],
  'LegacyReservationsController.list': [api('get', '/api/reservations/')],
  'LegacyReservationsController.get': [api('get', '/api/reservations/{reservation}')],
  'LegacyTicketsController.list': [api('get', '/api/ticket/')],
  'LegacyTicketsController.get': [api('get', '/api/ticket/{ticket}')],
  'WebhookEndpointsController.list': [api('get', '/api/v2/webhook-endpoints/')],
  'WebhookEndpointsController.create': [],
  'WebhookEndpointsController.get': [api('get', '/api/v2/webhook-endpoints/{endpoint}/')],
  'WebhookEndpointsController.change': [api('patch', '/api/v2/webhook-endpoints/{endpoint}/', { enabled: false })],
  'WebhookEndpointsController.remove': [api('delete', '/api/v2/webhook-endpoints/{endpoint}/')],
  'WebhookEndpointsController.rotateSecret': [api('post', '/api/v2/webhook-endpoints/{endpoint}/rotate-secret/')],
  'WebhookEndpointsController.ping': [api('post', '/api/v2/webhook-endpoints/{endpoint}/ping/')],
  'WebhookEndpointsController.listDeliveries': [api('get', '/api/v2/webhook-endpoints/{endpoint}/deliveries/')],
  'WebhookEndpointsController.sendAgain': [api('post', '/api/v2/webhook-endpoints/{endpoint}/send-again/', { delivery: '{delivery}' })],
  'WebhookFeedController.list': [api('get', '/api/v2/webhook-events/'), api('get', '/api/v2/webhook-events/?after={feedEvent}')],
  'ApiDocumentController.json': [],
  'ApiDocumentController.clients': [],
  'ApiDocumentController.page': [],
  'ApiDocumentController.file': [],
};
