import { AccountLinks, accountSessionHours, AccountSessionsService, TooManyLinks } from '#booking';
import { Redirection, reply, SameOriginGuard, TakesForm, type Reply } from '#http';
import { currentLanguage, isUuid, kernelProblem, networkOfClient, RefusedInput } from '#kernel';
import { AccountReader, reader } from '#pages';
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
    const email = reader(body)('email').trim();
    try {
      await this.sessions.request(email, networkOfClient(client), currentLanguage());
    } catch (error) {
      if (!(error instanceof RefusedInput)) throw error;
      return this.pages.ask({ typed: email, fault: error.message, status: error instanceof TooManyLinks ? 429 : 422 });
    }
    return this.pages.sent(email);
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
    const token = await this.sessions.open(id);
    if (token !== undefined) return this.signedIn(token, accountSessionHours * 3600);
    // A second click on the button: the first one has begun the session.
    return (await this.account.person(cookie)) ? this.signedIn() : this.pages.gone();
  }

  @Post('sign-out')
  @UseGuards(SameOriginGuard)
  @TakesForm()
  async signOut(@Headers('cookie') cookie?: string): Promise<Shown> {
    demandAccounts();
    await this.sessions.end(this.account.tokenIn(cookie));
    return this.signedIn('', 0);
  }

  /** To the account, with its cookie when it is new. */
  private signedIn(token?: string, seconds = 0): Reply<Redirection> {
    const headers = { 'Cache-Control': 'no-store', ...(token !== undefined && { 'Set-Cookie': this.account.cookie(token, seconds) }) };
    return reply(new Redirection(303, '/account'), { headers });
  }

  /** @throws Problem `route.unknown` when the link was not made here */
  private demandLink(id: string, mark: string): void {
    demandAccounts();
    if (!isUuid(id) || !this.links.opens(id, mark)) throw kernelProblem('route.unknown');
  }
}
