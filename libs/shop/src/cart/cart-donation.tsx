import type { Donation } from '#selling';
import { currentLanguage } from '#kernel';
import type { ComponentChildren, VNode } from 'preact';
import { TaxReceiptLink } from '../donations/ask-tax-receipt.js';
import { donationWords } from '../donations/donation.words.js';
import { LineSection } from './cart-memberships.js';
import { cartWords } from './cart.words.js';

interface DonationSectionProps {
  readonly donation: Donation;
  /** What is below it. */
  readonly children?: ComponentChildren;
}

/** The donation in a cart. */
export function DonationSection({ donation: { name, amount }, children }: DonationSectionProps): VNode {
  return (
    <LineSection id="donation" title={donationWords[currentLanguage()].heading} name={name} amount={amount as `${number}`}>
      {children}
    </LineSection>
  );
}

/** The donation of a completed cart, with its state. */
export function Donated({
  donation,
  path,
}: {
  readonly donation: Donation;
  /** That leads to its tax receipt. */ readonly path?: string | undefined;
}): VNode {
  const words = cartWords[currentLanguage()];
  return (
    <DonationSection donation={donation}>
      <p class="actions">
        <strong>{donation.isPaid ? donationWords[currentLanguage()].paid : words.unpaid}</strong>
      </p>
      {path !== undefined && <TaxReceiptLink path={path} />}
    </DonationSection>
  );
}
