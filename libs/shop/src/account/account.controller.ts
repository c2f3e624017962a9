import { AccountErasureService, AccountExportService, AccountsService, WithdrawalsService, type AccountPerson } from '#holders';
import { HolderLinks } from '#tickets';
import { CardHoldersService } from '#cards';
import { reply, SameOriginGuard, seeOther, TakesForm, type Redirection, type Reply } from '#http';
import { AccountReader, reader, returnPathOf } from '#page-kit';
import { Access, currentTenant } from '#tenancy';
import { Body, Controller, Get, Headers, Post, Query, UseGuards } from '@nestjs/common';
import { demandAccounts } from './account-access.js';
import { AccountPagesService } from './account-pages.service.js';

type Shown = Reply<string> | Reply<Redirection>;

/** What a person booked at a tenant, for who opened the link to the account; others see the form that asks for a link. */
@Controller('account')
@Access('public')
export class AccountController {
  constructor(
    private readonly account: AccountReader,
    private readonly accounts: AccountsService,
    private readonly withdrawals: WithdrawalsService,
    private readonly cards: CardHoldersService,
    private readonly exports: AccountExportService,
    private readonly erasures: AccountErasureService,
    private readonly holders: HolderLinks,
    private readonly pages: AccountPagesService,
  ) {}

  @Get()
  async show(
    @Headers('cookie') cookie?: string,
    @Query('coming') comingPage?: unknown,
    @Query('past') pastPage?: unknown,
    @Query('next') nextPage?: unknown,
  ): Promise<Shown> {
    demandAccounts();
    const person = await this.account.person(cookie);
    const next = returnPathOf(nextPage);
    if (!person) return this.pages.ask({ next });
    // Signed in meanwhile, in another window.
    if (next !== undefined) return seeOther(next);
    const [coming, past] = [pageOf(comingPage), pageOf(pastPage)];
    return this.pages.account({
      email: person.email,
      coming: { page: coming, ...(await this.accounts.bookings(person, 'coming', coming)) },
      past: { page: past, ...(await this.accounts.bookings(person, 'past', past)) },
      memberships: await this.accounts.memberships(person),
      contracts: await this.withdrawals.ofPerson(person),
      cards: await this.cards.ofOwner(person),
      pathTo: (subject, version) => this.holders.pathTo(subject, version),
    });
  }

  /** Everything that the tenant has stored about the address, as a file. */
  @Get('data.json')
  async data(@Headers('cookie') cookie?: string): Promise<Shown> {
    const person = await this.find(cookie);
    if (!person) return seeOther('/account');
    const cards = await this.cards.ofOwner(person);
    const headers = {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Disposition': `attachment; filename="${currentTenant().slug}.json"`,
      'Cache-Control': 'no-store',
    };
    return reply(await this.exports.json(person, { cards }), { headers });
  }

  @Get('erase')
  async askErasure(@Headers('cookie') cookie?: string): Promise<Shown> {
    const person = await this.find(cookie);
    if (!person) return seeOther('/account');
    const hasCards = (await this.cards.ofOwner(person)).length > 0;
    return this.pages.erase({ email: person.email, obstacle: await this.erasures.obstacle(person), hasCards });
  }

  @Post('erase')
  @UseGuards(SameOriginGuard)
  @TakesForm({ required: ['sure'] })
  async erase(@Body() body: unknown, @Headers('cookie') cookie?: string): Promise<Shown> {
    const person = await this.find(cookie);
    if (!person) return seeOther('/account');
    const isSure = reader(body)('sure') !== '';
    const obstacle = isSure ? await this.erasures.request(person, this.account.tokenIn(cookie)) : await this.erasures.obstacle(person);
    if (isSure && !obstacle) return this.pages.erasing(this.account.cookie('', 0));
    const hasCards = (await this.cards.ofOwner(person)).length > 0;
    return this.pages.erase({ email: person.email, obstacle, hasCards, isUnsure: !isSure, status: obstacle ? 409 : 422 });
  }

  private find(cookie: string | undefined): Promise<AccountPerson | undefined> {
    demandAccounts();
    return this.account.person(cookie);
  }
}

/** Number of a page, from 1; anything else is the first one. */
function pageOf(text: unknown): number {
  return typeof text === 'string' && /^[1-9]\d{0,2}$/.test(text) ? Number(text) : 1;
}
