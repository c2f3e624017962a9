import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'adminjs';
import { centsIn, money, textOfCents } from '#panel-kit/components/shared/numbers.js';

/** Notes and coins that people pay with, in cents. */
const PAID_WITH = [500, 1000, 2000, 5000, 10000, 20000];

/** The amounts that people are likely to give: the next multiple of each note. */
const likely = (total: number): number[] =>
  [...new Set(PAID_WITH.map((note) => Math.ceil(total / note) * note))].filter((sum) => sum > total).slice(0, 4);

/** Says how much change to give for the cash that a buyer gives. @param done goes on to the next sale */
export function ChangeDue({ total, focused, done }: { readonly total: string; readonly focused: boolean; readonly done: () => void }) {
  const { tc } = useTranslation();
  const field = useRef<HTMLInputElement>(null);
  const [given, setGiven] = useState('');
  useEffect(() => {
    if (focused) field.current?.focus();
  }, [focused]);
  const due = centsIn(total) ?? 0;
  const cents = centsIn(given);
  const rest = cents === undefined ? undefined : cents - due;
  return (
    <div className="gt-change">
      <label htmlFor="given">{tc('BoxOffice.given')}</label>
      <input
        id="given"
        ref={field}
        inputMode="decimal"
        autoComplete="off"
        maxLength={9}
        value={given}
        onChange={({ target }) => setGiven(target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') done();
        }}
      />
      {likely(due).map((sum) => (
        <button key={sum} type="button" className="gt-button gt-button-quiet" onClick={() => setGiven(textOfCents(sum))}>
          {money(textOfCents(sum))}
        </button>
      ))}
      <output className={rest !== undefined && rest < 0 ? 'gt-gone' : undefined} htmlFor="given">
        {rest === undefined
          ? null
          : tc(rest < 0 ? 'BoxOffice.missing' : 'BoxOffice.changeDue', { amount: money(textOfCents(Math.abs(rest))) })}
      </output>
    </div>
  );
}
