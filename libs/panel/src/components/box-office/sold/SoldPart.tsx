import { useTranslation } from 'adminjs';
import { Icon } from '@adminjs/design-system';
import { Link } from 'react-router-dom';
import { briefly, fullMoment } from '#panel-kit/components/shared/times.js';
import { Key } from '../sale/Key.js';
import { useSend } from '#panel-kit/components/page/view.js';
import type { SoldView } from '../../../box-office/sold-view.js';

type Part = SoldView['parts'][number];

/** Sends the tickets to the buyer again. */
function SendButton({ part, resourceId }: { readonly part: Part; readonly resourceId: string }) {
  const { tc } = useTranslation();
  const { busy, send } = useSend(resourceId);
  return (
    <button
      type="button"
      className="gt-button gt-button-quiet"
      disabled={busy}
      onClick={() => void send({ resourceId, recordId: part.id, actionName: 'resend' }, { confirmed: true })}
    >
      <Icon icon="Send" size={16} /> {tc('BoxOffice.send')}
    </button>
  );
}

function PrintLink({
  href,
  label,
  isMain,
  printKey,
}: {
  readonly href: string;
  readonly label: string;
  readonly isMain: boolean;
  readonly printKey: string | undefined;
}) {
  return (
    <a href={href} target="_blank" rel="noopener" className={isMain ? 'gt-button gt-print' : 'gt-button gt-button-quiet gt-print'}>
      <Icon icon="Printer" size={16} /> {label} <Key of={printKey} />
    </a>
  );
}

/** The text beside a printed code; on the screen it is shown once above all codes. */
function OnPaper({ part, ticket }: { readonly part: Part; readonly ticket: Part['tickets'][number] }) {
  const { tc } = useTranslation();
  return (
    <div className="gt-on-paper">
      <strong>{part.event}</strong>
      <b>{fullMoment(part.startsAt)}</b>
      <span>{part.place}</span>
      {ticket.name === part.reference ? null : <b>{ticket.name}</b>}
      <span>{[ticket.price, ticket.amount].join(' · ')}</span>
      <span>{tc('BoxOffice.reference', { reference: part.reference })}</span>
    </div>
  );
}

/** What was sold for one event: the codes, large enough to scan from the screen. */
export function SoldPart({
  part,
  email,
  resourceId,
  printKey,
}: {
  readonly part: Part;
  readonly email: string | null;
  readonly resourceId: string;
  readonly printKey: string | undefined;
}) {
  const { tc } = useTranslation();
  return (
    <section className="gt-sold-part" aria-label={part.event}>
      <div className="gt-sold-part-head">
        <p>
          <strong>{part.event}</strong> <span className="gt-small">{briefly(part.startsAt)}</span>
        </p>
        <div className="gt-header-actions">
          <PrintLink label={tc('BoxOffice.print')} href={part.printHref} isMain={!email} printKey={printKey} />
          {email ? <SendButton part={part} resourceId={resourceId} /> : null}
          <Link to={part.href} className="gt-button gt-button-quiet">
            {tc('BoxOffice.reservation')}
          </Link>
        </div>
      </div>
      <ol className="gt-sold-tickets">
        {part.tickets.map((ticket) => {
          const { id, name, price, picture, href } = ticket;
          return (
            <li key={id} className="gt-panel">
              {picture ? <img className="gt-qr" src={picture} alt={tc('BoxOffice.qr', { name })} /> : null}
              <Link to={href}>{name}</Link>
              <span className="gt-small">{price}</span>
              <OnPaper part={part} ticket={ticket} />
            </li>
          );
        })}
      </ol>
    </section>
  );
}

/** A membership that was sold, with the code of its card. */
export function SoldMembership({
  membership,
  printKey,
}: {
  readonly membership: SoldView['memberships'][number];
  readonly printKey: string | undefined;
}) {
  const { tc } = useTranslation();
  const { name, what, amount, validUntil, href, printHref, picture } = membership;
  return (
    <section className="gt-sold-part" aria-label={what}>
      <div className="gt-sold-part-head">
        <p>
          <strong>{what}</strong>{' '}
          <span className="gt-small">
            {[amount, validUntil && tc('BoxOffice.memberUntil', { time: briefly(validUntil) })].filter(Boolean).join(' · ')}
          </span>
        </p>
        <div className="gt-header-actions">
          <PrintLink label={tc('BoxOffice.printCard')} href={printHref} isMain={false} printKey={printKey} />
        </div>
      </div>
      <ol className="gt-sold-tickets">
        <li className="gt-panel">
          {picture ? <img className="gt-qr" src={picture} alt={tc('BoxOffice.qr', { name })} /> : null}
          <Link to={href}>{name}</Link>
          <span className="gt-small">{what}</span>
          <div className="gt-on-paper">
            <strong>{what}</strong>
            <b>{name}</b>
            {validUntil ? <span>{tc('BoxOffice.memberUntil', { time: briefly(validUntil) })}</span> : null}
          </div>
        </li>
      </ol>
    </section>
  );
}
