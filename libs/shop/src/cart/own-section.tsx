import { currentLanguage } from '#kernel';
import { transferDay } from '#messages';
import type { OwnKind, OwnLine } from '#orders';
import { currentTenant } from '#tenancy';
import type { ComponentChildren, VNode } from 'preact';
import { TaxReceiptLink } from '../donations/ask-tax-receipt.js';
import { donationWords } from '../donations/donation.words.js';
import { giftCardWords } from '../gift-cards/gift-card.words.js';
import { LineSection } from './cart-memberships.js';
import { cartWords } from './cart.words.js';

/** The heading above each kind, in the language of the buyer. */
const headings: Record<OwnKind, () => string> = {
  donation: () => donationWords[currentLanguage()].heading,
  place: () => donationWords[currentLanguage()].placesHeading,
  gift_card: () => giftCardWords[currentLanguage()].title(currentTenant().name),
};

interface OwnSectionProps {
  readonly line: OwnLine;
  /** What is below it. */
  readonly children?: ComponentChildren;
}

/** What a cart itself sells: a donation, or places for others at an event. */
export function OwnSection({ line, children }: OwnSectionProps): VNode {
  const { id, kind, name, pieces, amount } = line;
  return (
    <LineSection id={kind === 'donation' ? kind : id} title={headings[kind]()} name={name} quantity={pieces} amount={amount}>
      {children}
    </LineSection>
  );
}

interface SoldProps extends Pick<OwnSectionProps, 'line'> {
  /** The last day for the transfer that pays it; undefined: it is paid online. */
  readonly transferBy: string | undefined;
  /** That leads to its tax receipt; undefined: there is none. */
  readonly path: string | undefined;
}

/** The same of a completed cart, with its state. */
export function Sold({ line, transferBy, path }: SoldProps): VNode {
  const language = currentLanguage();
  const words = cartWords[language];
  const unpaid = transferBy === undefined ? words.unpaid : words.byTransfer(transferDay(transferBy, language));
  return (
    <OwnSection line={line}>
      <p class="actions">
        <strong>{line.isPaid ? donationWords[language].paid : unpaid}</strong>
      </p>
      {path !== undefined && <TaxReceiptLink path={path} />}
    </OwnSection>
  );
}
