import type { WholeMembership } from '#memberships';
import { hasReceipt, referenceOf } from '#notices';
import type { WholeReservation } from '#tickets';
import { currentLanguage } from '#kernel';
import type { ComponentChildren, VNode } from 'preact';
import { holderWords } from './holder.words.js';

interface StepProps {
  readonly title?: string;
  /** What went well: the title is a headline. */
  readonly isGood?: boolean;
  /** Stands out, above the text. */
  readonly about?: string;
  readonly text: string;
  /** `alert`: it answers what the reader has just tried. */
  readonly role?: 'alert';
  readonly children?: ComponentChildren;
}

/** What to do next, or why nothing can be done. */
export function Step({ title, isGood = false, about, text, role, children }: StepProps): VNode {
  return (
    <section class={isGood ? 'notice step good' : 'notice step'} role={role}>
      {title && <h2>{title}</h2>}
      {about && (
        <p dir="auto">
          <strong>{about}</strong>
        </p>
      )}
      <p>{text}</p>
      {children}
    </section>
  );
}

interface ReceiptLinkProps {
  readonly sold: WholeReservation | WholeMembership;
  readonly path: string;
  /** Path of the tax receipt for the donation of its order; undefined: there is none. */
  readonly taxReceipt?: string | undefined;
}

/** The ways to the receipt and to the tax receipt, when there are some. */
export function ReceiptLink({ sold, path, taxReceipt }: ReceiptLinkProps): VNode {
  const words = holderWords[currentLanguage()];
  return (
    <>
      {hasReceipt(sold) && (
        <p>
          <a href={`${path}/receipt.pdf`}>{words.receipt}</a>
        </p>
      )}
      {taxReceipt !== undefined && (
        <p>
          <a href={taxReceipt}>{words.taxReceipt}</a>
        </p>
      )}
    </>
  );
}

/** The number by which the venue finds a reservation. */
export function Reference({ id }: { readonly id: string }): VNode {
  return (
    <p class="hint">
      {holderWords[currentLanguage()].reference} {referenceOf(id)}
    </p>
  );
}

/** Says that the page opens without a network; for pages with the script that keeps it. */
export function KeptPage(): VNode {
  return <p class="small quiet no-print">{holderWords[currentLanguage()].kept}</p>;
}

export function AccountLink(): VNode {
  return (
    <p>
      <a href="/account">{holderWords[currentLanguage()].account}</a>
    </p>
  );
}
