import type { Reply } from '#http';
import { currentLanguage } from '#kernel';
import { lookingAgain, pageDocument, personalReply, type Venue } from '#page-kit';
import { currentTenant } from '#tenancy';
import type { VNode } from 'preact';
import { OrderArticle } from './order-article.js';
import { orderWords } from './order.words.js';

interface OwnLinePage {
  readonly venue: Venue;
  readonly title: string;
  readonly body: VNode;
  /** Default: to the agenda. */
  readonly back?: { readonly path: string; readonly label: string } | undefined;
  /** Path of the next look, while a payment is not confirmed. */
  readonly again?: string | undefined;
  readonly status?: number;
}

/** A page of what is bought without an event: donations and gift cards. */
export function ownLinePage({ venue, title, body, back, again, status = 200 }: OwnLinePage): Reply<string> {
  const [tenant, language] = [currentTenant(), currentLanguage()];
  const main = (
    <OrderArticle back={back ?? { path: '/', label: orderWords[language].backToAgenda }} header={<h1>{title}</h1>}>
      {body}
    </OrderArticle>
  );
  const html = pageDocument({
    tenant,
    language,
    title: `${title} · ${tenant.name}`,
    main,
    venue,
    head: lookingAgain(again),
    hasScript: true,
    sheet: 'order',
  });
  return personalReply(html, { status, pays: true });
}
