import { useTranslation } from 'adminjs';
import { Fault } from '#panel-kit/components/forms/FormField.js';
import { amountOf, decimal, less, money } from '#panel-kit/components/shared/numbers.js';
import { briefly } from '#panel-kit/components/shared/times.js';
import { Key } from './Key.js';
import type { PriceView } from '../../../box-office/sale-view.js';
import type { Quantities } from '../../questions/BuyerQuestions.js';
import { codedAmount, type Amounts, type SalePart } from './sale-state.js';

/** How many of a price one sale may have. */
export const mostOf = ({ isSingle, remaining }: Pick<PriceView, 'isSingle' | 'remaining'>): number =>
  Math.min(isSingle ? 1 : 100, remaining ?? 100);

function Left({ price }: { readonly price: PriceView }) {
  const { tc } = useTranslation();
  const { remaining, maxPerUser, membership, sale, salesFrom, salesUntil } = price;
  // Goods with unlimited stock have no number.
  const rest = remaining === 0 ? tc('BoxOffice.soldOut') : remaining && !price.isSingle && tc('BoxOffice.left', { count: remaining });
  const limits = [
    maxPerUser && tc('BoxOffice.perPerson', { count: maxPerUser }),
    membership && tc('BoxOffice.members', { name: membership }),
    sale === 'upcoming' && salesFrom && tc('BoxOffice.salesOpen', { time: briefly(salesFrom) }),
    sale === 'ended' && salesUntil && tc('BoxOffice.salesEnded', { time: briefly(salesUntil) }),
  ].filter(Boolean);
  return (
    <span className="gt-small">
      {rest ? <span className={remaining === 0 ? 'gt-gone' : undefined}>{rest}</span> : null}
      {rest && limits.length > 0 ? ' · ' : null}
      {limits.join(' · ')}
    </span>
  );
}

function Stepper({
  price,
  quantity,
  change,
  invalid,
}: {
  readonly price: PriceView;
  readonly quantity: number;
  readonly change: (quantity: number) => void;
  readonly invalid: boolean;
}) {
  const { tc } = useTranslation();
  const name = price.name;
  const most = mostOf(price);
  const set = (wanted: number): void => change(Math.max(0, Math.min(most, wanted)));
  return (
    <span className="gt-stepper">
      <button
        type="button"
        className="gt-step"
        aria-label={tc('BoxOffice.fewer', { name })}
        disabled={quantity === 0}
        onClick={() => set(quantity - 1)}
      >
        −
      </button>
      <input
        inputMode="numeric"
        autoComplete="off"
        aria-label={tc('BoxOffice.quantity', { name })}
        value={quantity}
        disabled={most === 0}
        {...(invalid ? { 'aria-invalid': true, 'aria-describedby': 'tickets-error' } : {})}
        onFocus={({ target }) => target.select()}
        onChange={({ target }) => set(Number(target.value.replaceAll(/\D/g, '').slice(0, 3)))}
        onKeyDown={(event) => {
          const step = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0;
          if (step === 0) return;
          event.preventDefault();
          set(quantity + step);
        }}
      />
      <button
        type="button"
        className="gt-step gt-step-more"
        aria-label={tc('BoxOffice.more', { name })}
        disabled={quantity >= most}
        onClick={() => set(quantity + 1)}
      >
        +
      </button>
    </span>
  );
}

/** The amount per ticket when the buyer chooses it; the minimum is the placeholder. */
function FreeAmount({
  price,
  value,
  change,
  invalid,
}: {
  readonly price: PriceView;
  readonly value: string;
  readonly change: (amount: string) => void;
  readonly invalid: boolean;
}) {
  const { tc } = useTranslation();
  const { name, amount } = price;
  return (
    <span className="gt-price-amount gt-free-amount">
      <input
        inputMode="decimal"
        autoComplete="off"
        aria-label={tc('BoxOffice.freeAmount', { name, amount: money(amount) })}
        title={tc('BoxOffice.freeAmount', { name, amount: money(amount) })}
        placeholder={decimal(amount)}
        maxLength={11}
        value={value}
        {...(invalid ? { 'aria-invalid': true, 'aria-describedby': 'tickets-error' } : {})}
        onChange={({ target }) => change(target.value)}
      />
      <span className="gt-small">{tc('BoxOffice.atLeast', { amount: money(amount) })}</span>
    </span>
  );
}

/** What a price costs with a code. */
function Reduced({ full, amount }: { readonly full: string; readonly amount: string | undefined }) {
  const { tc } = useTranslation();
  if (amount === undefined || less(full, amount) === '0.00') return null;
  return <span className="gt-small gt-coded">{tc('BoxOffice.withCode', { amount: money(amount) })}</span>;
}

/** Where a code keeps places, the sale says how many. */
const withCode = (prices: readonly PriceView[], coded: SalePart['coded']): PriceView[] =>
  prices.map((price) => (coded?.kept.includes(price.id) ? { ...price, remaining: null } : price));

/** The prices of an event, with the number of available tickets and a field for the quantity. */
export function PriceSteppers({
  legend,
  prices,
  quantities,
  change,
  amounts,
  changeAmounts,
  coded = null,
  fault,
}: {
  readonly legend: string;
  readonly prices: readonly PriceView[];
  readonly quantities: Quantities;
  readonly change: (quantities: Quantities) => void;
  readonly amounts: Amounts;
  readonly changeAmounts: (amounts: Amounts) => void;
  readonly coded?: SalePart['coded'];
  readonly fault: string | undefined;
}) {
  const { tc } = useTranslation();
  const products = new Set(prices.map(({ product }) => product));
  return (
    <fieldset className={`gt-field${fault ? ' gt-field-bad' : ''}`}>
      <legend>{legend}</legend>
      {prices.some(({ sale }) => sale !== 'open') ? <p className="gt-help">{tc('BoxOffice.outsideSales')}</p> : null}
      <ul className="gt-prices">
        {withCode(prices, coded).map((price, index) => (
          <li key={price.id}>
            <span className="gt-price-name">
              <strong>
                {products.size > 1 || price.isSingle ? `${price.product} · ${price.name}` : price.name}{' '}
                <Key of={index < 9 ? String(index + 1) : undefined} />
              </strong>
              <Left price={price} />
              <Reduced full={amountOf(price, amounts)} amount={codedAmount({ coded }, price)} />
            </span>
            {price.freeAmount ? (
              <FreeAmount
                price={price}
                value={amounts[price.id] ?? ''}
                invalid={fault !== undefined}
                change={(amount) => changeAmounts({ ...amounts, [price.id]: amount })}
              />
            ) : (
              <span className="gt-price-amount">{money(price.amount)}</span>
            )}
            <Stepper
              price={price}
              quantity={quantities[price.id] ?? 0}
              invalid={fault !== undefined}
              change={(quantity) => change({ ...quantities, [price.id]: quantity })}
            />
          </li>
        ))}
      </ul>
      <Fault id="tickets-error" text={fault} />
    </fieldset>
  );
}
