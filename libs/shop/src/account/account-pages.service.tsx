import { pageDocument, PassScript, personalReply } from '#page-kit';
import type { ErasureObstacle } from '#holders';
import { MailsService } from '#tickets';
import { reply, type Reply } from '#http';
import { currentLanguage } from '#kernel';
import { PublicEventsService } from '#pages';
import { currentTenant } from '#tenancy';
import { Injectable } from '@nestjs/common';
import type { VNode } from 'preact';
import { OrderArticle } from '../frame/order-article.js';
import { orderWords } from '../frame/order.words.js';
import { AskLink, Erasing, Erasure, GoneLink, OpenLink, SentLink } from './account-steps.js';
import { Account, type ShownAccount } from './account.js';
import { accountWords } from './account.words.js';

interface Asked {
  readonly typed?: string;
  /** Own path to which the visitor returns. */
  readonly next?: string | undefined;
  readonly fault?: string;
  readonly status?: number;
}

interface AskedErasure {
  readonly email: string;
  readonly obstacle: ErasureObstacle | undefined;
  readonly hasCards: boolean;
  /** The box was not ticked. */
  readonly isUnsure?: boolean;
  readonly status?: number;
}

interface Answer {
  readonly status?: number;
  /** Text below the heading. */
  readonly lead?: string;
  /** The page before; default: the agenda. */
  readonly back?: { readonly path: string; readonly label: string } | undefined;
}

/** The pages of an account. Personal, not cached. */
@Injectable()
export class AccountPagesService {
  constructor(
    private readonly events: PublicEventsService,
    private readonly mails: MailsService,
  ) {}

  /** The form that asks for a link. */
  ask({ typed = '', next, fault, status = 200 }: Asked = {}): Promise<Reply<string>> {
    const language = currentLanguage();
    const back = next?.startsWith('/event/') ? { path: next, label: orderWords[language].backToEvent } : undefined;
    const { deliver, showsSignInLinks } = this.mails;
    const form = <AskLink typed={typed} next={next} fault={fault} isMailed={deliver} showsLink={showsSignInLinks} />;
    return this.answer(accountWords[language].title, form, { status, back });
  }

  /** The page after the form, the same for every address. @param link path of the link of the mail */
  sent(email: string, link: string | undefined): Promise<Reply<string>> {
    const shown = this.mails.showsSignInLinks ? link : undefined;
    return this.answer(accountWords[currentLanguage()].title, <SentLink email={email} isMailed={this.mails.deliver} mailLink={shown} />);
  }

  /** The page behind the link in the mail. */
  open(email: string, path: string): Promise<Reply<string>> {
    return this.answer(accountWords[currentLanguage()].title, <OpenLink email={email} path={path} />);
  }

  /** The page of a link that was used, or whose time has ended. */
  gone(): Promise<Reply<string>> {
    return this.answer(accountWords[currentLanguage()].title, <GoneLink />, { status: 410 });
  }

  account(shown: ShownAccount): Promise<Reply<string>> {
    const words = accountWords[currentLanguage()];
    return this.answer(words.title, <Account shown={shown} />, { lead: words.signedInAs(shown.email) });
  }

  /** Says what is erased and what is kept, and asks once. */
  erase({ email, obstacle, hasCards, isUnsure = false, status = 200 }: AskedErasure): Promise<Reply<string>> {
    const words = accountWords[currentLanguage()];
    const back = { path: '/account', label: words.back };
    const form = <Erasure obstacle={obstacle} hasCards={hasCards} isUnsure={isUnsure} />;
    return this.answer(words.erase, form, { status, back, lead: words.signedInAs(email) });
  }

  /** The page after the erasure was asked for. @param cookie header that ends the session */
  async erasing(cookie: string): Promise<Reply<string>> {
    const page = await this.answer(accountWords[currentLanguage()].erase, <Erasing />);
    return reply(page.body, { ...page.head, headers: { ...page.head.headers, 'Set-Cookie': cookie } });
  }

  private async answer(title: string, body: VNode, { status = 200, lead, back }: Answer = {}): Promise<Reply<string>> {
    const tenant = currentTenant();
    const language = currentLanguage();
    const header = (
      <>
        <h1>{title}</h1>
        {lead !== undefined && <p class="lead">{lead}</p>}
      </>
    );
    const main = (
      <OrderArticle back={back ?? { path: '/', label: orderWords[language].backToAgenda }} header={header}>
        {body}
      </OrderArticle>
    );
    const venue = await this.events.venue();
    return personalReply(
      pageDocument({
        tenant,
        language,
        title: `${title} · ${tenant.name}`,
        main,
        venue,
        hasScript: true,
        sheet: 'holder',
        head: <PassScript />,
      }),
      { status },
    );
  }
}
