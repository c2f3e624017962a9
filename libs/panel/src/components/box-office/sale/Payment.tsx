import { useTranslation } from 'adminjs';
import { Icon } from '@adminjs/design-system';
import { money, sum } from '#panel-kit/components/shared/numbers.js';
import { briefly } from '#panel-kit/components/shared/times.js';
import { Fault } from '#panel-kit/components/forms/FormField.js';
import { Key } from './Key.js';
import { MEMBERSHIPS, type ChosenPart, type Method, type Reader, type SaleForm } from './sale-state.js';

/** Payment methods, each with the text that names its key. */
export const METHODS: readonly (readonly [method: Method, key: string])[] = [
  ['cash', 'BoxOffice.keyCash'],
  ['card', 'BoxOffice.keyCard'],
  ['offered', 'BoxOffice.keyOffered'],
];

/** Sold to a customer: there is nothing else to choose. */
const ON_ACCOUNT: typeof METHODS = [['account', 'BoxOffice.keyAccount']];

/** The ways to pay of a sale. */
export const methodsOf = ({ customerId }: Pick<SaleForm, 'customerId'>): typeof METHODS => (customerId === '' ? METHODS : ON_ACCOUNT);

type Counted = Pick<ChosenPart, 'count' | 'isAdmission'> & { readonly key?: string };

/** The number of tickets, memberships or items of a part. */
export function useCounted() {
  const { tc } = useTranslation();
  return ({ key, count, isAdmission }: Counted): string => {
    if (key === MEMBERSHIPS) return tc('BoxOffice.membershipCount', { count });
    return tc(isAdmission ? 'BoxOffice.count' : 'BoxOffice.items', { count });
  };
}

/** How much is chosen of everything: tickets or items, and memberships. */
function useCountedAll() {
  const counted = useCounted();
  return (chosen: readonly ChosenPart[]): string => {
    const memberships = chosen.filter(({ key }) => key === MEMBERSHIPS);
    const events = chosen.filter(({ key }) => key !== MEMBERSHIPS);
    const count = events.reduce((all, part) => all + part.count, 0);
    const tickets = { count, isAdmission: events.every(({ isAdmission }) => isAdmission) };
    const all: Counted[] = [...(count > 0 ? [tickets] : []), ...memberships];
    return all.map(counted).join(' · ');
  };
}

/** What is chosen in other places than the one that is open. */
interface Chosen {
  readonly chosen: readonly ChosenPart[];
  readonly current: string | null;
  readonly choose: (key: string) => void;
  readonly remove: (key: string) => void;
}

function Basket({ chosen, current, choose, remove }: Chosen) {
  const { tc } = useTranslation();
  const counted = useCounted();
  if (chosen.every(({ key }) => key === current)) return null;
  return (
    <section className="gt-basket" aria-label={tc('BoxOffice.basket')}>
      <h2>{tc('BoxOffice.basket')}</h2>
      <ul>
        {chosen.map((part) => {
          const { key, event, total } = part;
          const name = event ? event.name : tc('BoxOffice.memberships');
          return (
            <li key={key}>
              <button type="button" className="gt-link" aria-current={key === current} onClick={() => choose(key)}>
                {name}
              </button>
              <span className="gt-small">{[event && briefly(event.startsAt), counted(part)].filter(Boolean).join(' · ')}</span>
              <strong>{money(total)}</strong>
              <button type="button" className="gt-step" aria-label={tc('BoxOffice.remove', { name })} onClick={() => remove(key)}>
                ×
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** The sum, and one button for each way to pay, which sells. */
export function Payment({
  chosen,
  current,
  choose,
  remove,
  methods,
  readers,
  sell,
  busy,
  fault,
}: Chosen & {
  readonly methods: typeof METHODS;
  readonly readers: readonly Reader[];
  readonly sell: (way: Method | Reader) => void;
  readonly busy: boolean;
  readonly fault: string | undefined;
}) {
  const { tc } = useTranslation();
  const countedAll = useCountedAll();
  const total = sum(chosen.map((part) => part.total));
  const saved = sum(chosen.map((part) => part.saved));
  const isOpen = chosen.some((part) => part.isOpen);
  const isFree = chosen.length > 0 && total === '0.00';
  return (
    <>
      <Basket {...{ chosen, current, choose, remove }} />
      <Fault id="paymentMethod-error" text={fault} />
      <div className="gt-total">
        <p aria-live="polite">
          <strong>{money(total)}</strong>
          <span className="gt-small">
            {chosen.length > 0 ? countedAll(chosen) : tc('BoxOffice.nothingYet')}
            {saved === '0.00' ? null : <span className="gt-coded"> · {tc('BoxOffice.saved', { amount: money(saved) })}</span>}
          </span>
        </p>
        <div className={isFree || methods.length === 1 ? 'gt-pay gt-pay-free' : 'gt-pay'} role="group" aria-label={tc('BoxOffice.payment')}>
          {(isFree ? methods.slice(0, 1) : methods).map(([method, key]) => (
            <button
              key={method}
              type="button"
              className={method === 'offered' ? 'gt-button gt-button-quiet' : 'gt-button'}
              disabled={busy || isOpen}
              aria-keyshortcuts={tc(key)}
              onClick={() => sell(method)}
            >
              {method === 'offered' ? <Icon icon="Gift" size={16} /> : null}
              {isFree ? tc('BoxOffice.sell') : `${tc(`BoxOffice.${method}`)}${method === 'offered' ? '' : ` ${money(total)}`}`}
              <Key of={tc(key)} />
            </button>
          ))}
          {(isFree ? [] : readers).map((reader, index) => (
            <button
              key={reader.id}
              type="button"
              className="gt-button gt-at-reader"
              disabled={busy || isOpen}
              {...(index === 0 && { 'aria-keyshortcuts': tc('BoxOffice.keyReader') })}
              onClick={() => sell(reader)}
            >
              {`${tc('BoxOffice.atReader', { name: reader.name })} ${money(total)}`}
              {index === 0 ? <Key of={tc('BoxOffice.keyReader')} /> : null}
            </button>
          ))}
        </div>
      </div>
    </>
  );
}
