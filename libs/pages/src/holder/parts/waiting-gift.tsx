import type { PendingOffer } from '#holders';
import { currentLanguage, dayAndTimeWords } from '#kernel';
import { currentTenant } from '#tenancy';
import type { VNode } from 'preact';
import { giftWordsFor } from './gift.words.js';

interface WaitingGiftProps {
  readonly ticket: { readonly admission: boolean };
  readonly offer: PendingOffer;
  /** Path of the ticket's own pages. */
  readonly path: string;
}

/** To whom a ticket is offered, for its holder, who can take the offer back. */
export function WaitingGift({ ticket, offer, path }: WaitingGiftProps): VNode {
  const language = currentLanguage();
  const words = giftWordsFor(language, ticket);
  const sent = dayAndTimeWords(offer.createdAt, language, currentTenant().timeZone);
  return (
    <div class="notice">
      <p>
        <b dir="auto">{words.pending(offer.toName)}</b> {words.sent(sent)} {words.stillYours}
      </p>
      <form method="post" action={`${path}/transfer/withdraw`}>
        <p>
          <button class="link">{words.takeBack}</button>
        </p>
      </form>
    </div>
  );
}
