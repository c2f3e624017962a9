import { awaitsConfirmation, type WholeReservation } from '#tickets';
import { beforeWhen, currentLanguage, databaseNow } from '#kernel';
import { amountWords, Fault, fieldClass, newlyTold, When } from '#page-kit';
import { currentTenant } from '#tenancy';
import { transferDay } from '#messages';
import type { ComponentChildren, VNode } from 'preact';
import { Hold, TicketLines } from '../frame/order-summary.js';
import { orderWords, orderWordsFor } from '../frame/order.words.js';
import { heldUntil, ticketsIn } from './cart-order.js';
import { cartWords, cartWordsFor } from './cart.words.js';

interface CartSectionProps {
  readonly id: string;
  readonly title: ComponentChildren;
  readonly hint?: ComponentChildren;
  readonly fault: string | undefined;
  readonly children: ComponentChildren;
}

/** A section of a cart: a part, a membership or the donation. */
export function CartSection({ id, title, hint, fault, children }: CartSectionProps): VNode {
  const name = `part-${id}`;
  return (
    <section class={fieldClass('part', fault)} id={name} tabindex={-1}>
      <h2 dir="auto">{title}</h2>
      {hint && <p class="hint">{hint}</p>}
      <Fault name={name} fault={fault} />
      {children}
    </section>
  );
}

interface PartsProps {
  readonly parts: readonly WholeReservation[];
  /** By the id of the part. */
  readonly faults?: ReadonlyMap<string, string>;
  /** What is below the tickets of a part. */
  readonly actions?: (part: WholeReservation) => ComponentChildren;
  /** Until when a part can be cancelled. */
  readonly noteOf?: (part: WholeReservation) => string;
  /** The sections behind those of the events. */
  readonly others: readonly VNode[];
  /** The sum of everything, decimal text. */
  readonly amount: string;
}

/** The parts of a cart as they take place, each with its event and tickets, and the sum of everything. */
export function Parts({ parts, faults, actions, noteOf, others, amount: sum }: PartsProps): VNode {
  const language = currentLanguage();
  const { timeZone } = currentTenant();
  const isOneOfSeveral = parts.length + others.length > 1;
  return (
    <>
      {parts.toSorted(byStart).map((part) => {
        const { id, event, amount } = part;
        const title = <a href={`/event/${event.slug}`}>{event.name}</a>;
        const when = <When event={newlyTold(event)} language={language} timeZone={timeZone} />;
        return (
          <CartSection id={id} title={title} hint={when} fault={faults?.get(id)}>
            <TicketLines order={part} />
            {noteOf?.(part) && <p class="hint">{noteOf(part)}</p>}
            {isOneOfSeveral && hasLines(part) && (
              <p class="sum">
                <span>{cartWords[language].subtotal}</span>
                <span>{amountWords(amount as `${number}`, language)}</span>
              </p>
            )}
            {actions?.(part)}
          </CartSection>
        );
      })}
      {others}
      <p class="sum whole">
        <span>{orderWords[language].total}</span>
        <strong>{amountWords(sum as `${number}`, language)}</strong>
      </p>
    </>
  );
}

/** Whether the tickets of a part are of several prices, so that their sum says more than their line. */
function hasLines({ tickets }: WholeReservation): boolean {
  return new Set(tickets.map(({ priceId, amount }) => `${priceId} ${amount}`)).size > 1;
}

/** Until when the tickets of an open cart are held. */
export function CartHold({ parts }: { readonly parts: readonly WholeReservation[] }): VNode {
  const held = { expiresAt: heldUntil(parts), tickets: ticketsIn(parts) };
  return <Hold order={held} timeZone={currentTenant().timeZone} />;
}

interface EditPartProps {
  readonly part: WholeReservation;
  /** Of the cart. */
  readonly path: string;
  /** Path of the form with the tickets. */
  readonly change: string;
}

/** Buttons to change and to remove a part. */
export function EditPart({ part, path, change }: EditPartProps): VNode {
  const { id, event, tickets } = part;
  const language = currentLanguage();
  const pass = tickets.find(({ price }) => price.wholeSeries)?.price;
  const words = cartWords[language];
  return (
    <div class="actions">
      {pass ? (
        <span class="hint">{pass.passDates === null ? words.ofPass : words.ofDates}</span>
      ) : (
        <a href={change} aria-label={cartWordsFor(language, part).changeWhat(event.name)}>
          {orderWordsFor(language, tickets).change}
        </a>
      )}
      <RemoveButton id={id} name={event.name} path={path} />
    </div>
  );
}

interface RemoveButtonProps {
  readonly id: string;
  readonly name: string;
  /** Of the cart. */
  readonly path: string;
}

/** Button to remove tickets, a membership or the donation. */
export function RemoveButton({ id, name, path }: RemoveButtonProps): VNode {
  const words = cartWords[currentLanguage()];
  return (
    <form class="order" method="post" action={`${path}/remove`}>
      <input type="hidden" name="part" value={id} />{' '}
      <button class="link" aria-label={words.removeWhat(name)}>
        {words.remove}
      </button>
    </form>
  );
}

interface PartStateProps {
  readonly part: WholeReservation;
  /** As in `CartContents`. */
  readonly transferBy: string | undefined;
  /** Path of its holder's page; undefined: not to be shown yet. */
  readonly link: string | undefined;
}

/** The state of a completed part. */
export function PartState({ part, transferBy, link }: PartStateProps): VNode {
  const words = cartWordsFor(currentLanguage(), part);
  return (
    <p class="actions">
      <strong>{stateOf(part, transferBy)}</strong>
      {link !== undefined && (
        <a href={link} aria-label={words.openWhat(part.event.name)}>
          {words.open}
        </a>
      )}
    </p>
  );
}

function stateOf(part: WholeReservation, transferBy: string | undefined): string {
  const { status, expiresAt, payAtVenue } = part;
  const language = currentLanguage();
  const words = cartWordsFor(language, part);
  if (status === 'C') return words.cancelled;
  if (status !== 'R' && status !== 'U' && status !== 'F') return words.confirmed;
  if (expiresAt !== null && expiresAt <= databaseNow()) return words.lapsed;
  if (awaitsConfirmation(part)) return words.unconfirmed;
  if (payAtVenue && transferBy !== undefined) return words.byTransfer(transferDay(transferBy, language));
  return payAtVenue && expiresAt ? words.atVenue(beforeWhen(expiresAt, language, currentTenant().timeZone)) : words.unpaid;
}

const byStart = ({ event: one }: WholeReservation, { event: other }: WholeReservation): number =>
  one.startsAt.getTime() - other.startsAt.getTime();
