import type { ReactNode } from 'react';
import type { PanelTone } from '../../resource/panel-source.js';

const SIGNS: Partial<Record<string, string>> = { good: '✓', waiting: '!', bad: '✕' };

/** A state with a colour and a sign, so that it is readable without colours. */
export function Badge({ tone = 'quiet', children }: { readonly tone?: PanelTone | undefined; readonly children: ReactNode }) {
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

/** Tones of the outcomes of a scan. */
export const OUTCOME_TONES: Readonly<Partial<Record<string, PanelTone>>> = {
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
