import React from 'react';

const SIGNS = { good: '✓', waiting: '!', bad: '✕' };

/** A state in its colour and with a sign, so that it is not told by colour alone. */
export function Badge({ tone = 'quiet', children }) {
  return (
    <span className={`gt-badge gt-badge-${tone}`}>
      {SIGNS[tone] ? (
        <span className="gt-badge-sign" aria-hidden="true">
          {SIGNS[tone]}
        </span>
      ) : null}
      {children}
    </span>
  );
}

/** Colours of what can come of a scan. */
export const OUTCOME_TONES = {
  accepted: 'good',
  undone: 'quiet',
  fulfilled: 'good',
  already_fulfilled: 'bad',
  not_fulfilled: 'waiting',
  admission: 'waiting',
  already_scanned: 'bad',
  cancelled: 'bad',
  forged: 'bad',
  revoked: 'bad',
  malformed: 'bad',
  unknown: 'bad',
  not_admission: 'waiting',
  not_paid: 'waiting',
  not_active: 'waiting',
  wrong_event: 'waiting',
  too_early: 'waiting',
  too_late: 'waiting',
};
