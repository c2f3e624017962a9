import { AccountReader, pageTenant, reader } from '#page-kit';
import { SameOriginGuard, seeOther, TakesForm, type Redirection, type Reply } from '#http';
import { currentLanguage, databaseNow, isUuid, kernelProblem, RefusedInput, siteOfClient } from '#kernel';
import { FollowerLinks, FollowersService, TooManyFollowers } from '#notices';
import { EventPagesService, isTellable, PublicEventsService } from '#pages';
import { isSignedIn } from '#tickets';
import { Access } from '#tenancy';
import { Body, Controller, Get, Headers, Ip, Param, Post, UseGuards } from '@nestjs/common';
import { FollowingPagesService } from './following-pages.service.js';

type Shown = Reply<string> | Reply<Redirection>;

/** Following the venue by mail: asking, and the page behind the link in each mail. */
@Controller()
@Access('public')
export class FollowingController {
  constructor(
    private readonly followers: FollowersService,
    private readonly links: FollowerLinks,
    private readonly account: AccountReader,
    private readonly venue: PublicEventsService,
    private readonly events: EventPagesService,
    private readonly pages: FollowingPagesService,
  ) {}

  /** Answers the same page for every address. */
  @Post('follow')
  @UseGuards(SameOriginGuard)
  @TakesForm({ required: ['email'] })
  async ask(@Body() body: unknown, @Ip() client: string, @Headers('cookie') cookie?: string): Promise<Shown> {
    pageTenant();
    if (!(await this.venue.venue()).canBeFollowed) throw kernelProblem('route.unknown');
    const { email, isOwn } = await this.read(body, cookie);
    try {
      const id = await this.followers.ask({ email, language: currentLanguage(), isOwn }, siteOfClient(client));
      return await (isOwn ? this.pages.follows(email) : this.pages.sent(email, { link: id && this.links.pathTo(id) }));
    } catch (error) {
      if (!(error instanceof RefusedInput)) throw error;
      return this.pages.form(email, error.message, error instanceof TooManyFollowers ? 429 : 422);
    }
  }

  /** The same for one mail, when the sale of tickets for an event begins. Leads to the page of the event when it has begun. */
  @Post('event/:slug/tell')
  @UseGuards(SameOriginGuard)
  @TakesForm({ required: ['email'] })
  async tell(@Param('slug') slug: string, @Body() body: unknown, @Ip() client: string, @Headers('cookie') cookie?: string): Promise<Shown> {
    pageTenant();
    const page = await this.events.find(slug);
    const { event } = page;
    if (!isTellable(page, databaseNow())) return seeOther(`/event/${event.slug}`);
    const { email, isOwn } = await this.read(body, cookie);
    try {
      const id = await this.followers.ask({ email, language: currentLanguage(), isOwn, eventId: event.id }, siteOfClient(client));
      return await (isOwn ? this.pages.follows(email, event) : this.pages.sent(email, { event, link: id && this.links.pathTo(id) }));
    } catch (error) {
      if (!(error instanceof RefusedInput)) throw error;
      return this.pages.tellForm(page, email, { fault: error.message, status: error instanceof TooManyFollowers ? 429 : 422 });
    }
  }

  @Get('follow/:id/:mark')
  async show(@Param('id') id: string, @Param('mark') mark: string): Promise<Shown> {
    this.check(id, mark);
    return this.pages.follower(await this.followers.find(id), this.links.pathTo(id));
  }

  /** POST only, because programs that check mails follow links. */
  @Post('follow/:id/:mark/confirm')
  @UseGuards(SameOriginGuard)
  @TakesForm()
  async confirm(@Param('id') id: string, @Param('mark') mark: string): Promise<Shown> {
    this.check(id, mark);
    await this.followers.confirm(id);
    return seeOther(this.links.pathTo(id));
  }

  /** Mail programs send this, too (RFC 8058), so it has no guard against other sites: nobody else knows the address. */
  @Post('follow/:id/:mark')
  @TakesForm()
  async leave(@Param('id') id: string, @Param('mark') mark: string): Promise<Shown> {
    this.check(id, mark);
    await this.followers.leave(id);
    return this.pages.follower(undefined, this.links.pathTo(id));
  }

  private async read(body: unknown, cookie: string | undefined): Promise<{ email: string; isOwn: boolean }> {
    const email = reader(body)('email').trim();
    return { email, isOwn: isSignedIn({ email, signedIn: (await this.account.person(cookie))?.email }) };
  }

  /** @throws Problem `route.unknown` when the link was not made here */
  private check(id: string, mark: string): void {
    pageTenant();
    if (!isUuid(id) || !this.links.opens(id, mark)) throw kernelProblem('route.unknown');
  }
}
