import { useEffect, useRef } from 'react';
import { useTranslation } from 'adminjs';
import { call, useSend, type ActionAddress } from '#panel-kit/components/page/view.js';
import { money } from '#panel-kit/components/shared/numbers.js';
import type { ReaderView } from '../../../box-office/reader-sale.js';
import type { SoldView } from '../../../box-office/sold-view.js';

/** What a step leads to: a sale that is paid, one that was given up, or the reader again. */
export interface ReaderStep {
  readonly sold?: SoldView;
  readonly givenUp?: true;
  readonly reader?: ReaderView;
}

/** Milliseconds between two questions whether the reader has the money. */
const PAUSE = 1500;

/** Asks every now and then what became of the payment. A question that fails is asked again. */
function useOutcome(address: ActionAddress, { payment, state }: ReaderView, learned: (step: ReaderStep) => void): void {
  const latest = useRef(learned);
  latest.current = learned;
  useEffect(() => {
    let timer = 0;
    let isOpen = state === 'asking';
    const ask = async (): Promise<void> => {
      try {
        const { view } = await call<ReaderStep>(address, { data: { payment, step: 'look' } });
        if (isOpen && view && view.reader?.state !== 'asking') latest.current(view);
      } catch {
        // The network may be back the next time.
      }
      if (isOpen) timer = window.setTimeout(() => void ask(), PAUSE);
    };
    if (isOpen) timer = window.setTimeout(() => void ask(), PAUSE);
    return () => {
      isOpen = false;
      window.clearTimeout(timer);
    };
  }, [address.actionName, address.resourceId, payment, state]);
}

/** A sale that a card reader asks for, or that was not paid there. */
export function AtReader({
  address,
  view,
  done,
}: {
  readonly address: ActionAddress;
  readonly view: ReaderView;
  readonly done: (step: ReaderStep) => void;
}) {
  const { tc } = useTranslation();
  const { busy, send } = useSend(address.resourceId);
  const heading = useRef<HTMLHeadingElement>(null);
  const { payment, state, name, amount, fault, readers } = view;
  useOutcome(address, view, done);
  useEffect(() => heading.current?.focus(), [state, payment]);
  const take = (step: string, readerId?: string): void =>
    void send<ReaderStep>(address, { payment, step, ...(readerId !== undefined && { readerId }) }, async (answer) => {
      if (answer.view) done(answer.view);
    });
  const button = (label: string, onClick: () => void, quiet = false) => (
    <button type="button" className={quiet ? 'gt-button gt-button-quiet' : 'gt-button'} disabled={busy} onClick={onClick}>
      {label}
    </button>
  );
  return (
    <section className="gt-sold" aria-labelledby="at-reader">
      <div className="gt-panel gt-sold-head">
        <p className="gt-collect" role="status">
          {money(amount)}
          <span className="gt-small">{state === 'asking' ? tc('BoxOffice.readerHint') : fault}</span>
        </p>
        <div>
          <h2 id="at-reader" ref={heading} tabIndex={-1}>
            {state === 'asking'
              ? tc('BoxOffice.readerAsks', { name, amount: money(amount) })
              : tc(state === 'failed' ? 'BoxOffice.readerFailed' : 'BoxOffice.readerEnded')}
          </h2>
        </div>
        {state === 'asking' ? (
          <div className="gt-header-actions">
            <progress aria-hidden="true" />
            {button(tc('BoxOffice.readerCancel'), () => take('cancel'), true)}
          </div>
        ) : null}
        {state === 'failed' ? (
          <div className="gt-header-actions">
            {readers.map((reader) => (
              <span key={reader.id}>{button(tc('BoxOffice.readerAgain', { name: reader.name }), () => take('again', reader.id))}</span>
            ))}
            {button(`${tc('BoxOffice.cash')} ${money(amount)}`, () => take('cash'), true)}
            {button(`${tc('BoxOffice.card')} ${money(amount)}`, () => take('card'), true)}
            {button(tc('BoxOffice.readerGiveUp'), () => take('giveUp'), true)}
          </div>
        ) : null}
        {state === 'ended' ? (
          <div className="gt-header-actions">{button(tc('BoxOffice.readerBack'), () => done({ givenUp: true }))}</div>
        ) : null}
      </div>
    </section>
  );
}
