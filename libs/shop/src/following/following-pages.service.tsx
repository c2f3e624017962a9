import { pageDocument, personalReply } from '#page-kit';
import { MailsService } from '#tickets';
import type { Reply } from '#http';
import { currentLanguage } from '#kernel';
import type { ShownFollower } from '#notices';
import { FollowForm, PublicEventsService } from '#pages';
import { currentTenant } from '#tenancy';
import { Injectable } from '@nestjs/common';
import type { VNode } from 'preact';
import { OrderArticle } from '../frame/order-article.js';
import { orderWords } from '../frame/order.words.js';
import { FormAgain } from '../order/send-again.js';
import { MailedStep, Step } from '../frame/step.js';
import { followingWords } from './following.words.js';

/** The pages of people who follow the venue by mail. Personal, not cached. */
@Injectable()
export class FollowingPagesService {
  constructor(
    private readonly events: PublicEventsService,
    private readonly mails: MailsService,
  ) {}

  /** The form again, with its fault. */
  form(typed: string, fault: string, status: number): Promise<Reply<string>> {
    return this.answer(<FollowForm language={currentLanguage()} typed={typed} fault={fault} />, status);
  }

  /** The page after the form, the same whether the address follows or not. */
  sent(email: string): Promise<Reply<string>> {
    const words = followingWords[currentLanguage()];
    return this.answer(
      <MailedStep isSent={this.mails.deliver} said={{ title: words.sent, text: words.sentText(email), kept: words.kept }}>
        <FormAgain path="/" />
      </MailedStep>,
    );
  }

  /** The page after the form of who is signed in with this address. */
  follows(email: string): Promise<Reply<string>> {
    const words = followingWords[currentLanguage()];
    return this.answer(<Step title={words.followsTitle} lines={[words.followsText(email)]} />);
  }

  /** The page behind the link in each mail: to confirm, or to leave. @param follower undefined: nobody follows with this link any more */
  follower(follower: ShownFollower | undefined, path: string): Promise<Reply<string>> {
    const words = followingWords[currentLanguage()];
    if (!follower) return this.answer(<Step title={words.leftTitle} lines={[words.leftText]} />);
    const { email, confirmedAt } = follower;
    if (confirmedAt === null)
      return this.answer(
        <Step title={words.confirmTitle} lines={[words.confirmText(email)]}>
          <Action path={`${path}/confirm`} label={words.confirm} />
        </Step>,
      );
    return this.answer(
      <Step title={words.followsTitle} lines={[words.followsText(email)]}>
        <Action path={path} label={words.leave} isQuiet />
      </Step>,
    );
  }

  private async answer(body: VNode, status = 200): Promise<Reply<string>> {
    const tenant = currentTenant();
    const language = currentLanguage();
    const title = followingWords[language].title(tenant.name);
    const main = (
      <OrderArticle back={{ path: '/', label: orderWords[language].backToAgenda }} header={<h1>{title}</h1>}>
        {body}
      </OrderArticle>
    );
    const venue = await this.events.venue();
    return personalReply(pageDocument({ tenant, language, title, main, venue, hasScript: true }), { status });
  }
}

interface ActionProps {
  readonly path: string;
  readonly label: string;
  readonly isQuiet?: boolean;
}

function Action({ path, label, isQuiet = false }: ActionProps): VNode {
  return (
    <form class="order" method="post" action={path}>
      <button class={isQuiet ? 'button quiet' : 'button'}>{label}</button>
    </form>
  );
}
