import { pageDocument, personalReply, sitesOf } from '#page-kit';
import { MailsService } from '#tickets';
import type { Reply } from '#http';
import { currentLanguage } from '#kernel';
import type { ShownFollower } from '#notices';
import { FollowForm, PublicEventsService, TellForm, type EventPage } from '#pages';
import { currentTenant } from '#tenancy';
import { Injectable } from '@nestjs/common';
import type { ComponentChildren, VNode } from 'preact';
import { OrderArticle } from '../frame/order-article.js';
import { orderWords } from '../frame/order.words.js';
import { MailedStep, Step } from '../frame/step.js';
import { followingWords } from './following.words.js';

type ToldEvent = Pick<EventPage['event'], 'name' | 'slug'>;

interface Answer {
  readonly status?: number;
  /** The event whose sale is awaited. */
  readonly event?: ToldEvent | undefined;
  /** It follows the form of the event's page, which other sites may show in a frame. */
  readonly isAfterForm?: boolean;
}

/** The pages of people who follow the venue by mail. Personal, not cached. */
@Injectable()
export class FollowingPagesService {
  constructor(
    private readonly events: PublicEventsService,
    private readonly mails: MailsService,
  ) {}

  /** The form again, with its fault. */
  form(typed: string, fault: string, status: number): Promise<Reply<string>> {
    return this.answer(<FollowForm language={currentLanguage()} typed={typed} fault={fault} />, { status });
  }

  /** The form about the sale of an event again, with its fault. */
  tellForm(
    { event, venue }: EventPage,
    typed: string,
    { fault, status }: { readonly fault: string; readonly status: number },
  ): Promise<Reply<string>> {
    const form = (
      <TellForm slug={event.slug} hasPrivacy={venue.hasPrivacy === true} language={currentLanguage()} typed={typed} fault={fault} />
    );
    return this.answer(form, { status, event, isAfterForm: true });
  }

  /** The page after the form, the same whether the address follows or not. @param about.link path of the link of the mail */
  sent(email: string, { event, link }: { readonly event?: ToldEvent; readonly link: string | undefined }): Promise<Reply<string>> {
    const words = followingWords[currentLanguage()];
    const text = event ? words.tellSentText(email) : words.sentText(email);
    const main = (
      <MailedStep
        isSent={this.mails.deliver}
        said={{ title: words.sent, text, kept: words.kept }}
        mailLink={this.mails.showsSignInLinks ? link : undefined}
      >
        <p>
          <a href={event ? `/event/${event.slug}` : '/'}>{orderWords[currentLanguage()].formAgain}</a>
        </p>
      </MailedStep>
    );
    return this.answer(main, { event, isAfterForm: event !== undefined });
  }

  /** The page after the form of who is signed in with this address. */
  follows(email: string, event?: ToldEvent): Promise<Reply<string>> {
    return this.answer(<Follows email={email} hasEvent={event !== undefined} />, { event, isAfterForm: event !== undefined });
  }

  /** The page behind the link in each mail: to confirm, or to leave. @param follower undefined: nobody follows with this link any more */
  follower(follower: ShownFollower | undefined, path: string): Promise<Reply<string>> {
    const words = followingWords[currentLanguage()];
    if (!follower) return this.answer(<Step title={words.leftTitle} lines={[words.leftText]} />);
    const { email, confirmedAt, toldAt } = follower;
    const event = follower.event ?? undefined;
    if (toldAt !== null) return this.answer(<Step title={words.toldTitle} lines={[words.toldText]} />, { event });
    if (confirmedAt === null) {
      const lines = [event ? words.tellConfirmText(email) : words.confirmText(email)];
      const confirm = <Action path={`${path}/confirm`} label={event ? words.tellConfirm : words.confirm} />;
      return this.answer(
        <Step title={words.confirmTitle} lines={lines}>
          {confirm}
        </Step>,
        { event },
      );
    }
    const leave = <Action path={path} label={event ? words.tellLeave : words.leave} isQuiet />;
    return this.answer(
      <Follows email={email} hasEvent={event !== undefined}>
        {leave}
      </Follows>,
      { event },
    );
  }

  private async answer(body: VNode, { status = 200, event, isAfterForm = false }: Answer = {}): Promise<Reply<string>> {
    const tenant = currentTenant();
    const language = currentLanguage();
    const { tellTitle, title: venueTitle } = followingWords[language];
    const title = event ? tellTitle(event.name) : venueTitle(tenant.name);
    const { backToAgenda, backToEvent } = orderWords[language];
    const back = event ? { path: `/event/${event.slug}`, label: backToEvent } : { path: '/', label: backToAgenda };
    const main = (
      <OrderArticle back={back} header={<h1>{title}</h1>}>
        {body}
      </OrderArticle>
    );
    const venue = await this.events.venue();
    return personalReply(pageDocument({ tenant, language, title, main, venue, hasScript: true, sheet: 'order' }), {
      status,
      sites: isAfterForm ? sitesOf(venue) : [],
    });
  }
}

interface FollowsProps {
  readonly email: string;
  /** It waits for the sale of an event. */
  readonly hasEvent: boolean;
  readonly children?: ComponentChildren;
}

/** Which mails an address gets. */
function Follows({ email, hasEvent, children }: FollowsProps): VNode {
  const words = followingWords[currentLanguage()];
  const text = hasEvent ? words.tellFollowsText(email) : words.followsText(email);
  return (
    <Step title={hasEvent ? words.tellFollowsTitle : words.followsTitle} lines={[text]}>
      {children}
    </Step>
  );
}

interface ActionProps {
  readonly path: string;
  readonly label: string;
  readonly isQuiet?: boolean;
}

function Action({ path, label, isQuiet = false }: ActionProps): VNode {
  return (
    <form class="order" method="post" action={path}>
      <button class={isQuiet ? 'button other' : 'button'}>{label}</button>
    </form>
  );
}
