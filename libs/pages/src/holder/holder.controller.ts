import { Controller, Get, Inject, Param, Post, Query } from '@nestjs/common';
import { membershipPdf, receiptPdf, ticketsPdf, transferPdf, transferWords, type ReceiptFacts } from '#messages';
import { TicketOffersService } from '#holders';
import { MembershipsService, type WholeMembership } from '#memberships';
import { BookingFactsService, referenceOf, ReceiptsService } from '#notices';
import { CartVerificationService } from '#selling';
import { HolderCancellationsService, HolderLinks, isHold, MailsService, ReservationsService, type WholeReservation } from '#tickets';
import { seeOther, type Redirection, type Reply } from '#http';
import { drawDocument, isUuid, kernelProblem, SETTINGS, type Settings } from '#kernel';
import { CheckoutOutcomesService } from '#payments';
import { Access } from '#tenancy';
import { BankTransfersService, type TransferInstructions } from '#transfers';
import { mostBundled, WalletAccountsService, WalletPassesService, walletBundlePath } from '#wallet';
import { donePage } from './done/done.page.js';
import { heldEventOf } from './parts/held-event.js';
import { HolderAccess } from './holder-access.service.js';
import { fileReply } from './holder-answers.js';
import { asksProvider, heldCookie, isPaying, lookOf, pageTenant, personalReply } from '#page-kit';
import { isValidNow, membershipPage } from './pages/membership.page.js';
import { refusedCartPage } from './pages/refused-cart.page.js';
import { reservationPage } from './pages/reservation.page.js';

/** Parts of a cart that a request may name: as many as a cart has. */
const mostParts = 20;

/** Pages for holders of a signed link: a reservation with its tickets, a membership with its card. */
@Controller()
@Access('public')
export class HolderController {
  constructor(
    private readonly access: HolderAccess,
    private readonly links: HolderLinks,
    private readonly cancellations: HolderCancellationsService,
    private readonly reservations: ReservationsService,
    private readonly verifications: CartVerificationService,
    private readonly memberships: MembershipsService,
    private readonly facts: BookingFactsService,
    private readonly queue: MailsService,
    private readonly receipts: ReceiptsService,
    private readonly wallets: WalletAccountsService,
    private readonly passes: WalletPassesService,
    private readonly outcomes: CheckoutOutcomesService,
    private readonly offers: TicketOffersService,
    private readonly transfers: BankTransfersService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Get('reservation/:id/:mark')
  async reservation(
    @Param('id') id: string,
    @Param('mark') mark: string,
    @Query('paid') paid?: unknown,
    @Query('done') done?: unknown,
  ): Promise<Reply<string> | Reply<Redirection>> {
    const tenant = pageTenant();
    const order = lookOf(paid) === 0 ? undefined : await this.access.orderOfEndedLink(id, mark);
    if (order !== undefined) return seeOther(order);
    const reservation = await this.access.reservation(id, mark);
    const codes = await this.reservations.codesOf(reservation);
    const path = this.links.pathTo({ reservationId: id }, reservation.linkVersion);
    const again = await this.lookAgain(reservation, path, paid);
    const cancelEnd = reservation.status === 'C' ? undefined : await this.cancellations.endOf(reservation);
    const venue = await this.access.venue();
    const about = await this.facts.aboutBooking(reservation);
    const held = heldEventOf(reservation, about, { address: await this.access.addressOf(reservation, venue), venue });
    const { eventMinutes } = this.settings;
    const cookie = isToPayOnline(reservation) ? undefined : heldCookie(this.settings, undefined);
    if ((done === '1' || lookOf(paid) > 0) && codes.size > 0)
      return personalReply(donePage(reservation, { tenant, venue, held, eventMinutes, mailed: this.queue.deliver, path }), { cookie });
    const other = await this.access.otherWay(reservation);
    const offers = await this.offers.pendingOf(reservation.tickets);
    const how = {
      venue,
      offers,
      mailed: this.queue.deliver,
      cancelEnd,
      held,
      eventMinutes,
      wallets: await this.wallets.offered(),
      payPath: this.access.payPathTo(reservation),
      transfer: await this.transferOf(reservation),
      other,
      order: await this.access.sameOrderOf(reservation),
      taxReceipt: await this.access.taxReceiptPathOf(reservation),
      ...(again !== undefined && { again }),
    };
    // Its forms take offers back, or change the way to pay: browsers send the origin.
    const referrer = offers.size > 0 || other ? 'same-origin' : 'no-referrer';
    return personalReply(await reservationPage(reservation, codes, tenant, path, how), { referrer, pays: other === 'online', cookie });
  }

  @Get('reservation/:id/:mark/tickets.pdf')
  async pdf(@Param('id') id: string, @Param('mark') mark: string): Promise<Reply<Buffer>> {
    const facts = await this.facts.ticketsOf(await this.access.reservation(id, mark));
    if (!facts || facts.tickets.length === 0) throw kernelProblem('route.unknown');
    return fileReply(
      'application/pdf',
      `${facts.reservation.reference}.pdf`,
      await drawDocument('public', 'tickets', facts, () => ticketsPdf(facts)),
    );
  }

  /** All tickets for Apple Wallet in one file, where they are several and fit into it. */
  @Get(`reservation/:id/:mark/${walletBundlePath}`)
  async applePasses(@Param('id') id: string, @Param('mark') mark: string): Promise<Reply<Buffer>> {
    const facts = await this.facts.ticketsOf(await this.access.reservation(id, mark));
    const count = facts?.tickets.length ?? 0;
    const file = facts && count > 1 && count <= mostBundled ? await this.passes.apple(facts, facts.tickets) : undefined;
    if (!facts || !file) throw kernelProblem('route.unknown');
    return fileReply('application/vnd.apple.pkpasses', `${facts.reservation.reference}.pkpasses`, file);
  }

  /** What is to be transferred for the order. */
  @Get('reservation/:id/:mark/transfer.pdf')
  async transfer(@Param('id') id: string, @Param('mark') mark: string): Promise<Reply<Buffer>> {
    const reservation = await this.access.reservation(id, mark);
    const [facts, transfer] = [await this.facts.aboutBooking(reservation), await this.transferOf(reservation)];
    if (!facts || !transfer || reservation.payUntil !== null) throw kernelProblem('route.unknown');
    const told = { ...facts, transfer };
    const drawing = drawDocument('public', 'transfer', told, () => transferPdf(told));
    return fileReply('application/pdf', transferWords[facts.language].file(transfer.reference.replace(' ', '')), await drawing);
  }

  @Get('reservation/:id/:mark/receipt.pdf')
  async receipt(@Param('id') id: string, @Param('mark') mark: string): Promise<Reply<Buffer>> {
    return this.receiptReply(id, await this.receipts.of(await this.access.reservation(id, mark)));
  }

  /** POST only, because programs that check mails follow links. */
  @Post('reservation/:id/:mark/confirm')
  async confirm(
    @Param('id') id: string,
    @Param('mark') mark: string,
    @Query('without') without?: unknown,
  ): Promise<Reply<Redirection> | Reply<string>> {
    const { linkVersion } = await this.access.reservation(id, mark);
    const givenUp = typeof without === 'string' ? without.split(',', mostParts).filter((one) => isUuid(one)) : [];
    const refused = await this.verifications.verify(id, linkVersion, givenUp);
    const path = this.links.pathTo({ reservationId: id }, linkVersion);
    const now = refused ? undefined : await this.reservations.find(id);
    if (!refused) return seeOther((now && this.access.payPathTo(now)) ?? (now && isHold(now.status) ? path : `${path}?done=1`));
    const html = refusedCartPage(refused, givenUp, { tenant: pageTenant(), venue: await this.access.venue(), path });
    return personalReply(html, { status: 409, referrer: 'no-referrer' });
  }

  @Get('membership/:id/:mark')
  async membership(@Param('id') id: string, @Param('mark') mark: string, @Query('paid') paid?: unknown): Promise<Reply<string>> {
    const tenant = pageTenant();
    const membership = await this.access.membership(id, mark);
    const path = this.links.pathTo({ membershipId: id }, membership.linkVersion);
    const again = await this.lookAgain(membership, path, paid);
    const how = { tenant, venue: await this.access.venue(), again };
    return personalReply(await membershipPage(membership, await this.memberships.codeOf(membership), path, how), {
      referrer: 'no-referrer',
    });
  }

  @Get('membership/:id/:mark/card.pdf')
  async card(@Param('id') id: string, @Param('mark') mark: string): Promise<Reply<Buffer>> {
    pageTenant();
    const membership = await this.access.membership(id, mark);
    if (!isValidNow(membership)) throw kernelProblem('route.unknown');
    const facts = await this.facts.cardOf(membership);
    return fileReply(
      'application/pdf',
      `${facts.membership.reference}.pdf`,
      await drawDocument('public', 'card', facts, () => membershipPdf(facts)),
    );
  }

  @Get('membership/:id/:mark/receipt.pdf')
  async membershipReceipt(@Param('id') id: string, @Param('mark') mark: string): Promise<Reply<Buffer>> {
    pageTenant();
    return this.receiptReply(id, await this.receipts.ofMembership(await this.access.membership(id, mark)));
  }

  /** What is to be transferred for the order of a reservation, also before its address is confirmed. */
  private async transferOf(reservation: WholeReservation): Promise<TransferInstructions | undefined> {
    const isDue = reservation.status === 'R' && reservation.payAtVenue;
    return isDue ? this.transfers.instructionsOf(reservation) : undefined;
  }

  /** @throws Problem `route.unknown` when there is no receipt */
  private async receiptReply(id: string, facts: ReceiptFacts | undefined): Promise<Reply<Buffer>> {
    if (!facts) throw kernelProblem('route.unknown');
    const drawing = drawDocument('public', 'receipt', facts, () => receiptPdf(facts));
    return fileReply('application/pdf', `${referenceOf(id)}-receipt.pdf`, await drawing);
  }

  /** Path of the next look for a payment. Asks the provider in case its event was lost. @param paid of the query */
  private async lookAgain(of: WholeReservation | WholeMembership, path: string, paid: unknown): Promise<string | undefined> {
    const look = lookOf(paid);
    if (!isPaying(of) || look === 0) return undefined;
    if (asksProvider(look)) await this.outcomes.askSoon(of.payments);
    return `${path}?paid=${look + 1}`;
  }
}

/** Whether its order is still continued by the payment: until then other pages say that its tickets are held. */
function isToPayOnline({ status, payAtVenue }: WholeReservation): boolean {
  return status === 'U' || (status === 'R' && !payAtVenue);
}
