import type { PendingOffer } from '#holders';
import { currentLanguage, dayAndTimeWords } from '#kernel';
import { currentTenant } from '#tenancy';
import { InputField, pageWords } from '#page-kit';
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
  const { toName, toEmail, link } = offer;
  const sent = link === undefined ? words.sent(dayAndTimeWords(offer.createdAt, language, currentTenant().timeZone)) : '';
  return (
    <div class="notice">
      <p>
        <b dir="auto">{words.pending(toName)}</b> {sent} {words.stillYours}
      </p>
      {link !== undefined && (
        <>
          <InputField
            field={{ name: 'link', label: words.pass(toName), hint: words.passHint }}
            attributes={{ value: link, readonly: true, autocomplete: 'off' }}
          />
          <p class="share">
            <button class="link" type="button" data-copy={link} data-copied={pageWords[language].copied} hidden>
              {pageWords[language].copyLink}
            </button>{' '}
            <a href={`mailto:${encodeURI(toEmail)}?subject=${encodeURIComponent(words.forYou)}&body=${encodeURIComponent(link)}`}>
              {pageWords[language].byMail}
            </a>
          </p>
        </>
      )}
      <form method="post" action={`${path}/transfer/withdraw`}>
        <p>
          <button class="link">{words.takeBack}</button>
        </p>
      </form>
    </div>
  );
}
