import { codeTail, type GiftCardsService, type WholeGiftCard } from '#gift-cards';
import { membershipContractName, membershipWithdrawableUntil, membershipWithdrawalEnd, type WholeMembership } from '#memberships';
import { goodsWithdrawalEnd, isDistanceSale, withdrawableGoods, type WholeReservation } from '#tickets';
import { referenceOf } from '#notices';
import { ticketWords } from '../pages/held-ticket.js';

/** A part of a contract from which one can withdraw alone. */
interface ContractItem {
  readonly id: string;
  readonly label: string;
  readonly amount: string;
  /** It was handed out, and is refunded when it is back. */
  readonly isOut: boolean;
}

/** A contract that a link opened, from which its buyer may withdraw. */
export interface Contract {
  readonly kind: 'goods' | 'membership' | 'gift_card';
  readonly id: string;
  /** What it is about: the event, or the membership. */
  readonly title: string;
  readonly reference: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  /** From which one may withdraw now; empty: none. */
  readonly items: readonly ContractItem[];
  /** When the buyer withdrew last. */
  readonly withdrawnAt: Date | undefined;
  /** Why `items` is empty. */
  readonly obstacle: 'cancelled' | 'datedTickets' | 'none' | Date;
  readonly payments: WholeReservation['payments'];
  /** Of the page of the contract. */
  readonly path: string;
}

type Concluded = Pick<Contract, 'id' | 'firstName' | 'lastName' | 'email' | 'payments'>;

/** What every contract has. */
const concluded = ({ id, firstName, lastName, email, payments }: Concluded, path: string) => ({
  id,
  reference: referenceOf(id),
  firstName,
  lastName,
  email,
  payments,
  path,
});

export function contractOfMembership(membership: WholeMembership, path: string): Contract {
  const { id, product, amount, status, withdrawnAt } = membership;
  const isOpen = membershipWithdrawableUntil(membership) !== undefined;
  return {
    ...concluded(membership, path),
    kind: 'membership',
    title: product.name,
    items: isOpen ? [{ id, label: membershipContractName(membership), amount, isOut: false }] : [],
    withdrawnAt: withdrawnAt ?? undefined,
    obstacle: status === 'cancelled' ? 'cancelled' : (membershipWithdrawalEnd(membership) ?? 'none'),
  };
}

/** @param title of its kind, in the language of the page */
export function contractOfGiftCard(
  card: WholeGiftCard,
  { path, title, payments, cards }: Pick<Contract, 'path' | 'title' | 'payments'> & { readonly cards: GiftCardsService },
): Contract {
  const { orderId, buyerName, buyerEmail: email, amount, code, withdrawnAt } = card;
  const id = orderId as string;
  const isOpen = cards.withdrawableUntil(card) !== undefined;
  return {
    ...concluded({ id, firstName: buyerName, lastName: '', email, payments }, path),
    kind: 'gift_card',
    title,
    items: isOpen ? [{ id, label: `${title} ${codeTail(code)}`, amount, isOut: false }] : [],
    withdrawnAt: withdrawnAt ?? undefined,
    obstacle: withdrawnAt === null ? 'none' : 'cancelled',
  };
}

export function contractOfReservation(reservation: WholeReservation, path: string): Contract {
  const { event, tickets } = reservation;
  const items = withdrawableGoods(reservation).map((ticket) => ({
    id: ticket.id,
    label: ticketWords(ticket, event.name),
    amount: ticket.amount,
    isOut: ticket.fulfilledAt !== null,
  }));
  const withdrawn = tickets.flatMap(({ withdrawnAt }) => withdrawnAt ?? []).map((at) => at.getTime());
  return {
    ...concluded(reservation, path),
    kind: 'goods',
    title: event.name,
    items,
    withdrawnAt: withdrawn.length > 0 ? new Date(Math.max(...withdrawn)) : undefined,
    obstacle: obstacleOf(reservation),
  };
}

function obstacleOf(reservation: WholeReservation): Contract['obstacle'] {
  const { status, tickets } = reservation;
  if (status === 'C') return 'cancelled';
  const goods = tickets.filter(({ admission }) => !admission);
  if (goods.length === 0) return isDistanceSale(reservation) ? 'datedTickets' : 'none';
  if (goods.every((ticket) => ticket.status === 'R')) return 'cancelled';
  return (isDistanceSale(reservation) ? goodsWithdrawalEnd(reservation) : undefined) ?? 'none';
}
