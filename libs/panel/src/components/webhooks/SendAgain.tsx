import { useState, type FormEvent } from 'react';
import { useTranslation } from 'adminjs';
import { Link } from 'react-router-dom';
import { recordAddress } from '#panel-kit/components/shared/actions.js';
import { fromField, toField } from '#panel-kit/components/shared/times.js';
import { addressOf, faultsIn, useSend, type RecordPage } from '#panel-kit/components/page/view.js';

const DAY = 86_400_000;
/** The form that resends an endpoint's failed deliveries since a moment, and its result. */
export default function SendAgain({ record, resource, action }: RecordPage) {
  const { tc, tm, tp } = useTranslation();
  const [text, setText] = useState(toField(new Date(Date.now() - DAY)));
  const [{ fault, queued }, setAnswer] = useState<{ fault?: string | undefined; queued?: number | undefined }>({});
  const { busy, send } = useSend(resource.id);
  const sendAgain = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const answer = await send<{ readonly queued: number }>(addressOf({ record, resource, action }), { since: fromField(text) });
    if (answer) setAnswer({ fault: faultsIn(answer)['since'], queued: answer.view?.queued });
  };
  const key = queued === 0 ? 'queued_zero' : 'queued';
  return (
    <form className="gt-panel gt-pairing" onSubmit={(event) => void sendAgain(event)} noValidate>
      <p className="gt-lead">{tm('resendLead', resource.id)}</p>
      <div className={`gt-field${fault ? ' gt-field-bad' : ''}`}>
        <label htmlFor="since">{tp('since', resource.id)}</label>
        <input
          id="since"
          type="datetime-local"
          value={text}
          aria-required
          aria-invalid={fault ? true : undefined}
          aria-describedby={fault ? 'since-error' : undefined}
          onChange={({ target }) => setText(target.value)}
        />
        {fault ? (
          <p className="gt-fault" id="since-error">
            {tm(fault, resource.id)}
          </p>
        ) : null}
      </div>
      <p role="status" className={queued ? 'gt-lead gt-good' : 'gt-lead'}>
        {queued === undefined ? '' : tm(key, resource.id, { count: queued })}
      </p>
      <div className="gt-header-actions">
        <button type="submit" className="gt-button" disabled={busy}>
          {tm('resendDo', resource.id)}
        </button>
        <Link to={recordAddress(resource.id, record.id)} className="gt-button gt-button-quiet">
          {tc('Reveal.back')}
        </Link>
      </div>
    </form>
  );
}
