import { isForCart, type WholeMembership } from '#memberships';
import type { ChosenMembership, OrderedCart } from '#selling';
import type { WholeReservation } from '#tickets';
import { currentLanguage, databaseNow } from '#kernel';
import { transferDay } from '#messages';
import { amountWords } from '#page-kit';
import type { ComponentChildren, VNode } from 'preact';
import { RenewsItself } from '../memberships/automatic-renewal.js';
import { periodWords } from '../memberships/offer-words.js';
import type { TypedContact } from '../order/contact-form.dto.js';
import { CartSection } from './cart.js';
import { cartWords, cartWordsFor } from './cart.words.js';

interface ChosenProps {
  readonly chosen: ChosenMembership;
  /** Why it was refused. */
  readonly fault: string | undefined;
  /** What is below it. */
  readonly children: ComponentChildren;
}

/** A membership of an open cart. */
export function Chosen({ chosen, fault, children }: ChosenProps): VNode {
  const { id, product, name, amount } = chosen;
  const hint = periodWords(chosen, currentLanguage());
  return (
    <LineSection id={id} title={product} name={name} hint={hint} amount={amount} fault={fault ?? goneWords(chosen)}>
      {children}
    </LineSection>
  );
}

/** Name of the field that asks for the renewal of a membership by itself. */
const renewalField = ({ id }: Pick<ChosenMembership, 'id'>): string => `renews-${id}`;

/** The wishes that memberships of a cart are renewed and charged by themselves. */
export function Renewals({ renewable, typed }: { readonly renewable: readonly ChosenMembership[]; readonly typed: TypedContact }): VNode {
  return (
    <>
      {renewable.map((one) => (
        <RenewsItself name={renewalField(one)} product={one.product} period={one.period} typed={typed} language={currentLanguage()} />
      ))}
    </>
  );
}

/** The ids of the memberships that are to be renewed by themselves, as the form says. */
export function renewalsIn(typed: TypedContact, renewable: readonly ChosenMembership[]): ReadonlySet<string> {
  return new Set(renewable.filter((one) => (typed(renewalField(one))[0] ?? '') !== '').map(({ id }) => id));
}

interface BoughtProps {
  readonly membership: WholeMembership;
  /** The last day for the transfer that pays it; undefined: it is paid online. */
  readonly transferBy: string | undefined;
  /** Path of its page; undefined: not to be shown yet. */
  readonly link: string | undefined;
}

/** A membership of a completed cart, with its state. */
export function Bought({ membership, transferBy, link }: BoughtProps): VNode {
  const { id, product, price, amount } = membership;
  const language = currentLanguage();
  const words = cartWords[language];
  const hint = periodWords({ period: price.subscriptionType }, language);
  return (
    <LineSection id={id} title={product.name} name={price.name} hint={hint} amount={amount as `${number}`}>
      <p class="actions">
        <strong>{stateOf(membership, transferBy)}</strong>
        {link !== undefined && (
          <a href={link} aria-label={words.openCard(product.name)}>
            {words.card}
          </a>
        )}
      </p>
    </LineSection>
  );
}

interface LineSectionProps {
  readonly id: string;
  readonly title: string;
  readonly name: string;
  /** How many; default: 1. */
  readonly quantity?: number;
  readonly hint?: string;
  /** Of all of them. */
  readonly amount: `${number}`;
  readonly fault?: string | undefined;
  /** What is below the line. */
  readonly children: ComponentChildren;
}

/** A section of a cart with one line. */
export function LineSection({ id, title, name, quantity = 1, hint, amount, fault, children }: LineSectionProps): VNode {
  return (
    <CartSection id={id} title={title} hint={hint} fault={fault}>
      <ul class="leaders number">
        <li>
          <span>
            {quantity} × <bdi>{name}</bdi>
          </span>
          <span>{amountWords(amount, currentLanguage())}</span>
        </li>
      </ul>
      {children}
    </CartSection>
  );
}

/** Why a membership in the cart cannot be bought any more. */
function goneWords(one: ChosenMembership): string | undefined {
  const words = cartWords[currentLanguage()];
  if (isForCart(one)) return undefined;
  return one.soldOut ? words.membershipSoldOut : words.membershipGone;
}

function stateOf({ status, expiresAt }: WholeMembership, transferBy: string | undefined): string {
  const language = currentLanguage();
  const words = cartWords[language];
  if (status === 'cancelled') return words.cancelled;
  if (status === 'active') return words.confirmed;
  if (expiresAt !== null && expiresAt <= databaseNow()) return words.lapsed;
  return transferBy === undefined ? words.unpaid : words.byTransfer(transferDay(transferBy, language));
}

interface MissingProps extends Pick<OrderedCart, 'missing' | 'canPayOnline'> {
  readonly part: WholeReservation;
}

/** Says which membership the tickets of a part require that the cart does not contain. Carts with memberships are paid online. */
export function Missing({ part, missing, canPayOnline }: MissingProps): VNode {
  const words = cartWordsFor(currentLanguage(), part);
  const text = canPayOnline ? words.membersOnly : words.membersAtVenue;
  const ids = new Set(part.tickets.flatMap(({ price }) => price.requiredMembershipId ?? []));
  return (
    <>
      {[...ids]
        .flatMap((id) => missing.get(id) ?? [])
        .map((name) => (
          <p class="hint">
            {text(name)} <a href="/memberships">{words.seeMemberships}</a>
          </p>
        ))}
    </>
  );
}
