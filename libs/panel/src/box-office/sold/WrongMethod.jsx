import React, { useState } from 'react';
import { ApiClient, useNotice, useTranslation } from 'adminjs';
import { METHODS } from '../sale/Payment.jsx';

/** Corrects how a sale was paid; the ledger keeps both. @param corrected is told the right method */
export function WrongMethod({ sold, corrected }) {
  const { tc } = useTranslation();
  const notify = useNotice();
  const [busy, setBusy] = useState(false);
  const correct = async (method) => {
    setBusy(true);
    try {
      const recordIds = sold.payments;
      const request = { resourceId: 'payments', actionName: 'correctMethod', data: { method, confirmed: true } };
      const answers = [];
      for (const recordId of recordIds) answers.push((await new ApiClient().recordAction({ ...request, recordId })).data);
      const refused = answers.find(({ notice }) => notice?.type === 'error');
      const { notice } = refused ?? answers[0];
      if (notice) notify({ ...notice, resourceId: 'payments' });
      const added = answers.map(({ view }) => view?.corrected).filter(Boolean);
      if (!refused) corrected(method, added);
    } catch {
      notify({ message: 'failed', type: 'error' });
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
