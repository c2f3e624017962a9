import { GiftCardLinks, GiftCardPurchasesService, GiftCardsService, giftCardName } from '#gift-cards';
import { WithdrawalsService } from '#holders';
import { hasWithdrawal, HolderLinks, MailsService, RefusedTransition } from '#tickets';
import { Reply, SameOriginGuard, seeOther, TakesForm, type Redirection } from '#http';
import { currentLanguage, kernelProblem, RefusedInput } from '#kernel';
import { Access } from '#tenancy';
import { Body, Controller, Get, Param, Post, Query, UseGuards } from '@nestjs/common';
import { pageTenant, personalReply, valuesOf, type Venue } from '#page-kit';
import { HolderAccess } from '../holder-access.service.js';
import { faultsOf, noFaults, readFields } from '../holder-answers.js';
import { holderWords } from '../pages/holder.words.js';
import { withdrawalWords } from '../parts/withdrawal.words.js';
import { type Contract, contractOfGiftCard, contractOfMembership, contractOfReservation } from './contract.js';
import { confirmationPage, noWithdrawalPage, statementFields, statementPage, withdrawnPage } from './withdrawal.page.js';

type Shown = Reply<string> | Reply<Redirection>;

interface LinkParams {
  readonly id: string;
  readonly mark: string;
}

/**
 * Withdrawal from the contract about goods or a membership (article 11a of Directive 2011/83/EU), with the link of the order and without an
 * account: the statement, then its confirmation.
 */
@Controller()
@Access('public')
export class WithdrawalController {
  constructor(
    private readonly access: HolderAccess,
    private readonly links: HolderLinks,
    private readonly withdrawals: WithdrawalsService,
    private readonly mails: MailsService,
    private readonly giftCards: GiftCardsService,
    private readonly purchases: GiftCardPurchasesService,
    private readonly cardLinks: GiftCardLinks,
  ) {}

  @Get('reservation/:id/:mark/withdraw')
  async askGoods(@Param() params: LinkParams, @Query('done') done?: unknown): Promise<Shown> {
    return this.ask(await this.goods(params), done);
  }

  @Get('membership/:id/:mark/withdraw')
  async askMembership(@Param() params: LinkParams, @Query('done') done?: unknown): Promise<Shown> {
    return this.ask(await this.membership(params), done);
  }

  @Get('gift-card/:id/:mark/withdraw')
  async askGiftCard(@Param() params: LinkParams, @Query('done') done?: unknown): Promise<Shown> {
    return this.ask(await this.giftCard(params), done);
  }

  @Post('gift-card/:id/:mark/withdraw')
  @UseGuards(SameOriginGuard)
  @TakesForm()
  async giftCardStep(@Param() params: LinkParams, @Body() body: unknown): Promise<Shown> {
    return this.step(await this.giftCard(params), body);
  }

  @Post('reservation/:id/:mark/withdraw')
  @UseGuards(SameOriginGuard)
  @TakesForm()
  async goodsStep(@Param() params: LinkParams, @Body() body: unknown): Promise<Shown> {
    return this.step(await this.goods(params), body);
  }

  @Post('membership/:id/:mark/withdraw')
  @UseGuards(SameOriginGuard)
  @TakesForm()
  async membershipStep(@Param() params: LinkParams, @Body() body: unknown): Promise<Shown> {
    return this.step(await this.membership(params), body);
  }

  private async ask(contract: Contract, done: unknown): Promise<Shown> {
    const venue = await this.venue();
    const { items, withdrawnAt, firstName: first_name, lastName: last_name, email } = contract;
    if (withdrawnAt && (done === '1' || items.length === 0))
      return personalReply(withdrawnPage(contract, venue, withdrawnAt, this.mails.deliver));
    if (items.length === 0) return personalReply(noWithdrawalPage(contract, venue), { status: 409 });
    const typed = { first_name, last_name, email };
    return personalReply(statementPage(contract, venue, { typed, faults: noFaults, chosen: items.map(({ id }) => id) }));
  }

  /** A second click on the last step finds the contract withdrawn from and leads to the same page. */
  private async step(contract: Contract, body: unknown): Promise<Shown> {
    const venue = await this.venue();
    const done = seeOther(`${contract.path}/withdraw?done=1`);
    if (contract.items.length === 0) return contract.withdrawnAt ? done : this.ask(contract, undefined);
    const { step, ...typed } = readFields(body, [...statementFields, 'step']);
    const sent = contract.kind === 'goods' ? valuesOf(body, 'item') : [contract.id];
    const chosen = contract.items.map(({ id }) => id).filter((id) => sent.includes(id));
    const form = (faults: ReadonlyMap<string, string>, status: number): Shown =>
      personalReply(statementPage(contract, venue, { typed, faults, chosen }), { status });
    if (step === 'change') return form(noFaults, 200);
    const statement = { firstName: typed.first_name, lastName: typed.last_name, email: typed.email };
    // What was chosen in another window is done already.
    if (chosen.length === 0 && step === 'confirm' && contract.withdrawnAt) return done;
    if (chosen.length === 0) return form(new Map([['item', withdrawalWords[currentLanguage()].whichMissing]]), 422);
    try {
      this.withdrawals.check(statement);
      if (step !== 'confirm') return personalReply(confirmationPage(contract, venue, { typed, chosen }));
      if (contract.kind === 'membership') await this.withdrawals.fromMembership(contract.id, statement);
      else if (contract.kind === 'gift_card') await this.withdrawals.fromGiftCard(contract.id, statement);
      else await this.withdrawals.fromGoods(contract.id, chosen, statement);
      return done;
    } catch (error) {
      if (error instanceof RefusedInput) return form(faultsOf(error), 422);
      // A payment is under way.
      if (!(error instanceof RefusedTransition)) throw error;
      return personalReply(noWithdrawalPage(contract, venue, holderWords[currentLanguage()].cancelPaying), { status: 409 });
    }
  }

  /** @throws Problem `route.unknown` where the law does not apply */
  private async venue(): Promise<Venue> {
    const venue = await this.access.venue();
    if (!hasWithdrawal(venue.country)) throw kernelProblem('route.unknown');
    return venue;
  }

  private async goods({ id, mark }: LinkParams): Promise<Contract> {
    const reservation = await this.access.reservation(id, mark);
    return contractOfReservation(reservation, this.access.pathTo(reservation));
  }

  private async giftCard({ id, mark }: LinkParams): Promise<Contract> {
    pageTenant();
    const found = this.cardLinks.opens(id, mark) ? await this.purchases.find(id) : undefined;
    if (!found?.card) throw kernelProblem('route.unknown');
    const { card, payments } = found;
    return contractOfGiftCard(card, { path: this.cardLinks.pathTo(id), title: giftCardName(), payments, cards: this.giftCards });
  }

  private async membership({ id, mark }: LinkParams): Promise<Contract> {
    const membership = await this.access.membership(id, mark);
    return contractOfMembership(membership, this.links.pathTo({ membershipId: id }, membership.linkVersion));
  }
}
