import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { KernelModule } from '#kernel';
import { Access, AccessRuleMissingError, ControllerRoutes, TenancyModule } from '#tenancy';
import { APP_GUARD } from '@nestjs/core';
import { startTestApp, testSecret, type TestApp } from '../support/test-app.js';

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp();
});
afterAll(() => test.close());

/** The access rule of every route. New routes must be added here, so that their rule is a deliberate decision. */
const expected: Readonly<Record<string, string>> = {
  'HealthController.live': 'public',
  'HealthController.ready': 'public',
  'HealthController.metrics': 'public',
  'AgendaController.home': 'public',
  'AgendaController.json': 'public',
  'AgendaController.calendar': 'public',
  'AgendaController.feed': 'public',
  'EventController.calendar': 'public',
  'EventController.json': 'public',
  'EventController.picture': 'public',
  'EventController.preview': 'public',
  'EventController.page': 'public',
  'SeriesController.page': 'public',
  'EmbedController.script': 'public',
  'CrawlersController.sitemap': 'public',
  'CrawlersController.robots': 'public',
  'NetworkController.places': 'public',
  'PageAssetsController.file': 'public',
  'HolderController.reservation': 'public',
  'HolderController.confirm': 'public',
  'HolderPaymentController.atVenue': 'public',
  'HolderPaymentController.online': 'public',
  'HolderController.pdf': 'public',
  'HolderController.applePasses': 'public',
  'HolderController.receipt': 'public',
  'HolderController.transfer': 'public',
  'HolderController.membership': 'public',
  'HolderController.card': 'public',
  'HolderController.membershipReceipt': 'public',
  'HolderCancellationController.ask': 'public',
  'HolderCancellationController.cancel': 'public',
  'WithdrawalController.askGoods': 'public',
  'WithdrawalController.goodsStep': 'public',
  'WithdrawalController.askMembership': 'public',
  'WithdrawalController.membershipStep': 'public',
  'HolderTicketsController.show': 'public',
  'HolderTicketsController.askName': 'public',
  'HolderTicketsController.rename': 'public',
  'TicketTransferController.ask': 'public',
  'TicketTransferController.offer': 'public',
  'TicketTransferController.withdraw': 'public',
  'GiftController.show': 'public',
  'GiftController.accept': 'public',
  'TicketFilesController.pdf': 'public',
  'TicketFilesController.calendar': 'public',
  'TicketFilesController.applePass': 'public',
  'TicketFilesController.googlePass': 'public',
  'TicketsController.book': 'public',
  'QueueController.show': 'public',
  'TicketsController.show': 'public',
  'TicketsController.change': 'public',
  'OrderController.confirm': 'public',
  'CartOrderController.confirm': 'public',
  'CartOrderController.atVenue': 'public',
  'OrderController.show': 'public',
  'OrderController.complete': 'public',
  'OrderController.sendAgain': 'public',
  'MembershipsController.offers': 'public',
  'MembershipsController.form': 'public',
  'MembershipsController.join': 'public',
  'MembershipsController.confirmPage': 'public',
  'MembershipsController.confirm': 'public',
  'MembershipsController.renewPage': 'public',
  'MembershipsController.renew': 'public',
  'MembershipsController.stopPage': 'public',
  'MembershipsController.stop': 'public',
  'FollowingController.ask': 'public',
  'FollowingController.tell': 'public',
  'FollowingController.show': 'public',
  'FollowingController.confirm': 'public',
  'FollowingController.leave': 'public',
  'WaitingController.join': 'public',
  'WaitingController.show': 'public',
  'WaitingController.confirm': 'public',
  'WaitingController.leave': 'public',
  'WaitingController.book': 'public',
  'CartController.show': 'public',
  'CartController.add': 'public',
  'CartController.addGoods': 'public',
  'CartController.join': 'public',
  'GoodsController.show': 'public',
  'CartController.donate': 'public',
  'OrderController.donate': 'public',
  'OrderController.useCode': 'public',
  'CartController.useCode': 'public',
  'DonationsController.form': 'public',
  'DonationsController.give': 'public',
  'DonationsController.show': 'public',
  'CartController.remove': 'public',
  'CartOrderController.show': 'public',
  'CartOrderController.save': 'public',
  'CartOrderController.contact': 'public',
  'CartOrderController.complete': 'public',
  'CartOrderController.sendAgain': 'public',
  'AccountLinkController.ask': 'public',
  'AccountLinkController.show': 'public',
  'AccountLinkController.open': 'public',
  'AccountLinkController.signOut': 'public',
  'AccountController.show': 'public',
  'AccountController.data': 'public',
  'AccountController.askErasure': 'public',
  'AccountController.erase': 'public',
  'PaymentEventsController.receive': 'public',
  'TlsAskController.ask': 'public',
  'ImagesController.show': 'public',
  'HouseController.show': 'public',
  'LegalController.imprint': 'public',
  'LegalController.terms': 'public',
  'LegalController.privacy': 'public',
  'PlacePicturesController.show': 'public',
  'NewPlaceController.show': 'public',
  'NewPlaceController.sent': 'public',
  'NewPlaceController.send': 'public',
  'ConfirmController.show': 'public',
  'ConfirmController.confirm': 'public',
  'PlacesController.list': 'public',
  'PlacesController.get': 'public',
  'PlacesController.create': 'key',
  'LegacyProductsController.list': 'guest',
  'LegacyProductsController.create': 'key',
  'LegacyPricesController.list': 'guest',
  'LegacyPricesController.createOrList': 'guest',
  'PairingController.look': 'public',
  'PairingController.pairByGet': 'public',
  'PairingController.pairByPost': 'public',
  'PairController.pair': 'public',
  'ContactController.hear': 'door',
  'PracticeController.scan': 'door',
  'QuarantineController.keep': 'public',
  'ScanController.testApi': 'device',
  'ScanController.keys': 'device',
  'ScanController.checkTicket': 'door',
  'ScanController.scanTicket': 'door',
  'ScanController.undo': 'door',
  'FulfilmentsController.fulfil': 'door',
  'FulfilmentsController.undo': 'door',
  'DoorStatusController.show': 'door',
  'JournalController.record': 'door',
  'PackController.pack': 'door',
  'PackController.names': 'door',
  'DoorAppController.shell': 'public',
  'DoorAppController.manifest': 'public',
  'DoorAppController.file': 'public',
  'ReferencesController.find': 'door',
  'DoorListsController.events': 'door',
  'DoorListsController.listTickets': 'door',
  'DoorListsController.searchTickets': 'door',
  'SemanticEventsController.list': 'key',
  'SemanticEventsController.create': 'key',
  'SemanticEventsController.get': 'key',
  'SemanticEventOptionsController.change': 'key',
  'SemanticEventOptionsController.create': 'key',
  'SemanticEventOptionsController.get': 'key',
  'SemanticEventOptionsController.list': 'key',
  'SemanticEventOptionsController.remove': 'key',
  'SemanticEventsController.change': 'key',
  'SemanticEventsController.remove': 'key',
  'SemanticEventsController.linkAddress': 'key',
  'SemanticEventsController.linkProduct': 'key',
  'SemanticProductsController.list': 'key',
  'SemanticProductsController.create': 'key',
  'SemanticProductsController.get': 'key',
  'SemanticProductsController.change': 'key',
  'SemanticProductsController.remove': 'key',
  'SemanticOffersController.list': 'key',
  'SemanticOffersController.create': 'key',
  'SemanticOffersController.get': 'key',
  'SemanticOffersController.change': 'key',
  'SemanticOffersController.remove': 'key',
  'SemanticPostalAddressesController.list': 'key',
  'SemanticPostalAddressesController.create': 'key',
  'SemanticPostalAddressesController.get': 'key',
  'SemanticPostalAddressesController.change': 'key',
  'SemanticPostalAddressesController.remove': 'key',
  'SemanticReservationsController.list': 'key',
  'SemanticReservationsController.create': 'key',
  'SemanticReservationsController.get': 'key',
  'SemanticReservationsController.change': 'key',
  'SemanticMembershipsController.list': 'key',
  'SemanticMembershipsController.create': 'key',
  'SemanticMembershipsController.get': 'key',
  'SemanticMembershipsController.change': 'key',
  'SemanticCardsController.get': 'key',
  'SemanticCodesController.list': 'key',
  'SemanticCodesController.create': 'key',
  'SemanticCodesController.get': 'key',
  'SemanticCodesController.change': 'key',
  'LegacyEventsController.list': 'public',
  'LegacyEventsController.get': 'public',
  'LegacyReservationsController.list': 'key',
  'LegacyReservationsController.get': 'key',
  'LegacyTicketsController.list': 'key',
  'LegacyTicketsController.get': 'key',
  'WebhookEndpointsController.list': 'key',
  'WebhookEndpointsController.create': 'key',
  'WebhookEndpointsController.get': 'key',
  'WebhookEndpointsController.change': 'key',
  'WebhookEndpointsController.remove': 'key',
  'WebhookEndpointsController.rotateSecret': 'key',
  'WebhookEndpointsController.ping': 'key',
  'WebhookEndpointsController.listDeliveries': 'key',
  'WebhookEndpointsController.sendAgain': 'key',
  'WebhookFeedController.list': 'key',
  'ApiDocumentController.json': 'public',
  'ApiDocumentController.clients': 'public',
  'ApiDocumentController.page': 'public',
  'ApiDocumentController.file': 'public',
};

describe('access rules', () => {
  it('exist on every route, as listed', async () => {
    const found = Object.fromEntries(
      test.app
        .get(ControllerRoutes)
        .all()
        .map(({ name, rule }) => [name, rule?.who]),
    );
    expect(found).toEqual(expected);
  });

  it('are required: a route without one stops the start', async () => {
    @Controller('open')
    class Forgotten {
      @Get('ruled')
      @Access('public')
      ruled(): void {
        // Has its rule.
      }

      @Get('forgotten')
      forgotten(): void {
        // Has none.
      }
    }
    @Module({
      imports: [KernelModule.with(test.settings, testSecret), TenancyModule.with(test.database.url, [])],
      controllers: [Forgotten],
    })
    class Wrong {}
    const app = await NestFactory.create(Wrong, { logger: false, abortOnError: false });
    const start = app.init();
    await expect(start).rejects.toThrow(AccessRuleMissingError);
    await expect(start).rejects.toThrow('Forgotten.forgotten');
    await app.close();
    expect(APP_GUARD).toBeDefined();
  });
});
