import { AccountLinks, accountSessionHours, AccountSessionsService, TooManyLinks } from '#holders';
import { Redirection, reply, SameOriginGuard, TakesForm, type Reply } from '#http';
import { currentLanguage, isUuid, kernelProblem, RefusedInput, siteOfClient } from '#kernel';
import { AccountReader, reader, returnPathOf } from '#page-kit';
import { Access } from '#tenancy';
import { Body, Controller, Get, Headers, Ip, Param, Post, UseGuards } from '@nestjs/common';
import { demandAccounts } from './account-access.js';
import { AccountPagesService } from './account-pages.service.js';

type Shown = Reply<string> | Reply<Redirection>;

/** Asking for the link to an account, and opening it. */
@Controller('account')
@Access('public')
export class AccountLinkController {
  constructor(
    private readonly sessions: AccountSessionsService,
    private readonly links: AccountLinks,
    private readonly account: AccountReader,
    private readonly pages: AccountPagesService,
  ) {}

  /** Answers the same page for every address; the mail is sent later, if one is due. */
  @Post()
  @UseGuards(SameOriginGuard)
  @TakesForm({ required: ['email'] })
  async ask(@Body() body: unknown, @Ip() client: string): Promise<Shown> {
    demandAccounts();
    const textOf = reader(body);
    const email = textOf('email').trim();
    const next = returnPathOf(textOf('next'));
    try {
      const id = await this.sessions.request(email, siteOfClient(client), currentLanguage(), next);
      return await this.pages.sent(email, id && this.links.pathTo(id));
    } catch (error) {
      if (!(error instanceof RefusedInput)) throw error;
      return this.pages.ask({ typed: email, next, fault: error.message, status: error instanceof TooManyLinks ? 429 : 422 });
    }
  }

  /** The page behind the link in the mail. Only its button uses the link, because programs that check mails open links. */
  @Get('open/:id/:mark')
  async show(@Param('id') id: string, @Param('mark') mark: string): Promise<Shown> {
    this.demandLink(id, mark);
    const link = await this.sessions.link(id);
    return link?.works ? this.pages.open(link.email, this.links.pathTo(id)) : this.pages.gone();
  }

  @Post('open/:id/:mark')
  @UseGuards(SameOriginGuard)
  @TakesForm()
  async open(@Param('id') id: string, @Param('mark') mark: string, @Headers('cookie') cookie?: string): Promise<Shown> {
    this.demandLink(id, mark);
    const begun = await this.sessions.open(id);
    if (begun) return this.toPage(begun.returnTo, this.account.cookie(begun.token, accountSessionHours * 3600));
    // A second click on the button: the first one has begun the session.
    if (!(await this.account.person(cookie))) return this.pages.gone();
    return this.toPage((await this.sessions.link(id))?.returnTo);
  }

  @Post('sign-out')
  @UseGuards(SameOriginGuard)
  @TakesForm()
  async signOut(@Headers('cookie') cookie?: string): Promise<Shown> {
    demandAccounts();
    await this.sessions.end(this.account.tokenIn(cookie));
    return this.toPage(undefined, this.account.cookie('', 0));
  }

  /** To the page from which the visitor came, else to the account. @param path as it is stored @param cookie header `Set-Cookie` */
  private toPage(path: string | null | undefined, cookie?: string): Reply<Redirection> {
    const headers = { 'Cache-Control': 'no-store', ...(cookie !== undefined && { 'Set-Cookie': cookie }) };
    return reply(new Redirection(303, returnPathOf(path) ?? '/account'), { headers });
  }

  /** @throws Problem `route.unknown` when the link was not made here */
  private demandLink(id: string, mark: string): void {
    demandAccounts();
    if (!isUuid(id) || !this.links.opens(id, mark)) throw kernelProblem('route.unknown');
  }
}
