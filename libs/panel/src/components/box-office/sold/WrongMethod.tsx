import { useState } from 'react';
import { useNotice, useTranslation } from 'adminjs';
import { call, useFailed } from '#panel-kit/components/page/view.js';
import type { SoldView } from '../../../box-office/sold-view.js';
import { METHODS } from '../sale/Payment.js';
import type { Method } from '../sale/sale-state.js';

/** Corrects how a sale was paid; the ledger keeps both. @param corrected is told the right method */
export function WrongMethod({
  sold,
  corrected,
}: {
  readonly sold: SoldView;
  readonly corrected: (method: Method, payments: string[]) => void;
}) {
  const { tc } = useTranslation();
  const notify = useNotice();
  const failed = useFailed();
  const [busy, setBusy] = useState(false);
  const correct = async (method: Method): Promise<void> => {
    setBusy(true);
    try {
      const address = { resourceId: 'payments', actionName: 'correctMethod' };
      const data = { method, confirmed: true };
      const answers = [];
      for (const recordId of sold.payments) answers.push(await call<{ readonly corrected?: string }>({ ...address, recordId }, { data }));
      const refused = answers.find(({ notice }) => notice?.type === 'error');
      const notice = (refused ?? answers[0])?.notice;
      if (notice) notify({ ...notice, resourceId: 'payments' });
      const added = answers.map(({ view }) => view?.corrected).filter((id) => id !== undefined);
      if (!refused) corrected(method, added);
    } catch {
      failed();
    }
    setBusy(false);
  };
  return (
    <details className="gt-wrong-method">
      <summary>{tc('BoxOffice.wrongMethod')}</summary>
      <div className="gt-header-actions">
        {METHODS.filter(([method]) => method !== sold.method).map(([method]) => (
          <button key={method} type="button" className="gt-button gt-button-quiet" disabled={busy} onClick={() => void correct(method)}>
            {tc(`BoxOffice.${method}`)}
          </button>
        ))}
      </div>
    </details>
  );
}
