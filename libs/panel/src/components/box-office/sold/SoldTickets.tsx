import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'adminjs';
import { Icon } from '@adminjs/design-system';
import { money } from '#panel-kit/components/shared/numbers.js';
import { Key } from '../sale/Key.js';
import { useKeys } from '../sale/sale-keys.js';
import { ChangeDue } from './ChangeDue.js';
import { SoldMembership, SoldPart } from './SoldPart.js';
import { WrongMethod } from './WrongMethod.js';
import type { SoldView } from '../../../box-office/sold-view.js';

/** Whether there is a keyboard: a focused field on a phone would open one over the codes. */
const hasKeyboard = (): boolean => window.matchMedia('(hover: hover)').matches;

/** How many of what was sold, as a sentence. */
function useHeading({ parts, memberships }: SoldView): string {
  const { tc } = useTranslation();
  const tickets = parts.flatMap((part) => part.tickets);
  const words = tickets.every(({ admits }) => admits) ? 'BoxOffice.sold' : 'BoxOffice.itemsSold';
  return [
    tickets.length > 0 && tc(words, { count: tickets.length }),
    memberships.length > 0 && tc('BoxOffice.membershipsSold', { count: memberships.length }),
  ]
    .filter(Boolean)
    .join(' · ');
}

/** The result of a sale: the amount to collect with its change, the codes, and the way to the next sale. */
export function SoldTickets({
  sold: first,
  another,
  resourceId,
}: {
  readonly sold: SoldView;
  readonly another: () => void;
  readonly resourceId: string;
}) {
  const { tc } = useTranslation();
  const [sold, setSold] = useState(first);
  const heading = useRef<HTMLHeadingElement>(null);
  const next = useRef<HTMLButtonElement>(null);
  const { parts, memberships, email, total, method, payments } = sold;
  const isAtReader = method === 'reader' && total !== '0.00';
  const isDue = method !== 'offered' && method !== 'account' && !isAtReader && total !== '0.00';
  const asksForChange = isDue && method === 'cash';
  useEffect(() => {
    heading.current?.scrollIntoView({ block: 'nearest' });
    if (!hasKeyboard()) heading.current?.focus();
    else if (!asksForChange) next.current?.focus();
  }, [asksForChange]);
  const print = (): void => document.querySelector<HTMLElement>('.gt-print')?.click();
  useKeys({ [tc('BoxOffice.keyAnother').toLowerCase()]: another, [tc('BoxOffice.keyPrint').toLowerCase()]: print });
  const mail = sold.mailed ? 'BoxOffice.mailed' : 'BoxOffice.notMailed';
  return (
    <section className="gt-sold" data-keys aria-labelledby="sold">
      <div className="gt-panel gt-sold-head">
        <p className="gt-collect" role="status">
          {isDue ? tc('BoxOffice.collect', { amount: money(total) }) : tc('BoxOffice.collectNothing')}
          <span className="gt-small">
            {isDue
              ? tc('BoxOffice.recorded', { method: tc(`BoxOffice.${method}`) })
              : isAtReader
                ? `${tc('BoxOffice.readerPaid')}: ${money(total)}`
                : method === 'offered'
                  ? tc('BoxOffice.offered')
                  : method === 'account'
                    ? `${tc('BoxOffice.account')} · ${money(total)}`
                    : null}
          </span>
        </p>
        <div>
          <h2 id="sold" ref={heading} tabIndex={-1}>
            <span className="gt-good">✓</span> {useHeading(sold)}
          </h2>
          <p className="gt-small gt-breaks">{email ? tc(mail, { email }) : tc('BoxOffice.noAddress')}</p>
        </div>
        {asksForChange ? <ChangeDue total={total} focused={hasKeyboard()} done={another} /> : null}
        <div className="gt-header-actions">
          <button type="button" ref={next} className="gt-button" aria-keyshortcuts={tc('BoxOffice.keyAnother')} onClick={another}>
            <Icon icon="Plus" size={16} /> {tc('BoxOffice.another')} <Key of={tc('BoxOffice.keyAnother')} />
          </button>
          {payments.length > 0 ? (
            <WrongMethod sold={sold} corrected={(right, added) => setSold({ ...sold, method: right, payments: added })} />
          ) : null}
        </div>
      </div>
      {parts.map((part, index) => (
        <SoldPart key={part.id} {...{ part, email, resourceId }} printKey={index === 0 ? tc('BoxOffice.keyPrint') : undefined} />
      ))}
      {memberships.map((membership, index) => (
        <SoldMembership
          key={membership.id}
          membership={membership}
          printKey={parts.length === 0 && index === 0 ? tc('BoxOffice.keyPrint') : undefined}
        />
      ))}
    </section>
  );
}
