import { useTranslation } from 'adminjs';
import { useEffect, useRef } from 'react';
import { describing, FormField } from '#panel-kit/components/forms/FormField.js';
import { call, useFailed, type ActionAddress } from '#panel-kit/components/page/view.js';
import type { BoxOfficeView } from '../../../box-office/sale-view.js';
import { isCodeOpen, type SalePart } from './sale-state.js';

/** The code of a guest for the tickets of one event, or for memberships. The server says what prices cost with it before a sale. */
export function CodeField({
  address,
  event,
  part,
  fault,
  set,
}: {
  readonly address: ActionAddress;
  /** The key of the part. */
  readonly event: string;
  readonly part: SalePart;
  /** Of the refused sale. */
  readonly fault: string | undefined;
  readonly set: (change: Partial<SalePart>) => void;
}) {
  const { tc } = useTranslation();
  const failed = useFailed();
  const latest = useRef(0);
  const { code, coded } = part;
  const amounts = JSON.stringify(part.amounts);
  const ask = async (): Promise<void> => {
    const turn = (latest.current += 1);
    const typed = code.trim();
    if (typed === '') return set({ coded: null });
    try {
      const { view } = await call<BoxOfficeView>(address, { params: { event, code: typed, amounts } });
      if (turn === latest.current) set({ coded: view?.coded ?? null });
    } catch {
      failed();
    }
  };
  // What is typed at free prices is reduced, too.
  useEffect(() => {
    if (coded && coded.fault === null) void ask();
  }, [event, amounts]);
  const said = fault ?? coded?.fault ?? undefined;
  const isUsed = coded !== null && coded.fault === null && !isCodeOpen(part);
  return (
    <FormField name="code" label={tc('BoxOffice.code')} optional fault={said}>
      <div className="gt-code-field">
        <input
          id="code"
          type="text"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={60}
          value={code}
          {...describing('code', said)}
          onChange={({ target }) => set({ code: target.value, ...(target.value.trim() === '' && { coded: null }) })}
          onBlur={() => (isCodeOpen(part) ? void ask() : undefined)}
        />
        <button type="button" className="gt-button gt-button-quiet" onClick={() => void ask()}>
          {tc('BoxOffice.useCode')}
        </button>
      </div>
      <p className="gt-help gt-after-field" role="status">
        {isUsed ? tc('BoxOffice.codeApplies') : ''}
      </p>
    </FormField>
  );
}
