import type { DraftChoice } from '../drafts/wanted-draft.js';
import type { OtherDates } from '../passes/cart-passes.js';
import { checkSize } from '../rules/size.js';
import { RefusedDraft } from '../sales/draft-refusals.js';
import type { CartPart } from './cart-rows.js';

/** Maximum number of events in one cart. */
const mostEvents = 30;

/**
 * @param others parts that the choice does not change
 * @param dates what it changes for other events
 * @throws RefusedDraft `cart_full`; RefusedInput on `tickets`
 */
export function refuseFull(others: readonly CartPart[], { lines }: Pick<DraftChoice, 'lines'>, dates: OtherDates): void {
  if (others.length + dates.size >= mostEvents) throw new RefusedDraft('cart_full');
  const passes = [...dates.values()].flat().filter(({ quantity }) => quantity > 0);
  checkSize([...others.map(({ tickets }) => ({ quantity: tickets })), ...lines, ...passes]);
}
