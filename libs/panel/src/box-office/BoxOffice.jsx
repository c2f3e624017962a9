import React, { useEffect, useRef, useState } from 'react';
import { ApiClient, useNotice, useTranslation } from 'adminjs';
import { Loader } from '@adminjs/design-system';
import { useLocation, useNavigate } from 'react-router';
import { answerFaults, BuyerQuestions, linesToSend } from '../questions/BuyerQuestions.jsx';
import { Checks, describing, Fault, focusOnFault, FormField, Segments } from '#panel-kit/components/forms/FormField.jsx';
import { amountOf, money, sum, times } from '#panel-kit/components/shared/numbers.js';
import { PriceSteppers } from './PriceSteppers.jsx';
import { SoldTickets } from './SoldTickets.jsx';
import { briefly, timeOf } from '#panel-kit/components/shared/times.js';

const api = new ApiClient();
const EMPTY = {
  quantities: {},
  amounts: {},
  email: '',
  firstName: '',
  lastName: '',
  language: '',
  paymentMethod: 'cash',
  optionIds: [],
  answers: {},
};
const METHODS = ['cash', 'card', 'offered'];

function EventChoice({ view, choose, fault }) {
  const { tc, tl } = useTranslation();
  const groups = [
    ['today', view.events.filter(({ isToday }) => isToday)],
    ['later', view.events.filter(({ isToday }) => !isToday)],
  ].filter(([, events]) => events.length > 0);
  const { event } = view.sale ?? {};
  return (
    <FormField name="eventId" label={tc('BoxOffice.event')} fault={fault}>
      <select id="eventId" value={view.eventId ?? ''} {...describing('eventId', fault)} onChange={({ target }) => choose(target.value)}>
        {view.eventId ? null : <option value="">{tl('choose')}</option>}
        {groups.map(([group, events]) => (
          <optgroup key={group} label={tc(`BoxOffice.${group}`)}>
            {events.map(({ id, name, startsAt }) => (
              <option key={id} value={id}>
                {group === 'today' ? timeOf(startsAt) : briefly(startsAt)} · {name}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
      {event ? (
        <p className="gt-help gt-after-field">
          {[
            briefly(event.startsAt),
            event.place,
            event.remaining > 0 ? tc('BoxOffice.places', { count: event.remaining }) : tc('BoxOffice.full'),
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
      ) : null}
    </FormField>
  );
}

/** Options of an event: radio options are one choice, with none selected at first; the others are checkboxes. */
function Options({ options, value, onChange, fault }) {
  const { tc, tl } = useTranslation();
  const radios = options.filter(({ kind }) => kind === 'radio').map(({ id }) => id);
  const boxes = options.filter(({ kind }) => kind === 'checkbox');
  const named = (some) => some.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <>
      {radios.length > 0 ? (
        <Segments
          name="option"
          label={tc('BoxOffice.options')}
          fault={fault}
          options={[{ value: '', label: tl('none') }, ...named(options.filter(({ kind }) => kind === 'radio'))]}
          value={value.find((id) => radios.includes(id)) ?? ''}
          onChange={(id) => onChange([...value.filter((other) => !radios.includes(other)), ...(id ? [id] : [])])}
        />
      ) : null}
      {boxes.length > 0 ? (
        <Checks
          name="options"
          label={tc('BoxOffice.options')}
          fault={radios.length > 0 ? undefined : fault}
          options={named(boxes)}
          value={value}
          onChange={onChange}
        />
      ) : null}
    </>
  );
}

function Buyer({ form, set, errors, ownLanguage, mailed }) {
  const { tc } = useTranslation();
  return (
    <>
      <FormField
        name="email"
        label={tc('BoxOffice.email')}
        mark={tc('BoxOffice.optional')}
        help={tc(mailed ? 'BoxOffice.emailHelp' : 'BoxOffice.emailKept')}
        fault={errors.email}
      >
        <input
          id="email"
          type="email"
          inputMode="email"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={254}
          value={form.email}
          {...describing('email', errors.email)}
          onChange={({ target }) => set({ email: target.value })}
        />
      </FormField>
      <div className="gt-field-row">
        {['firstName', 'lastName'].map((name) => (
          <FormField key={name} name={name} label={tc(`BoxOffice.${name}`)} mark={tc('BoxOffice.optional')}>
            <input
              id={name}
              type="text"
              autoComplete="off"
              maxLength={100}
              value={form[name]}
              onChange={({ target }) => set({ [name]: target.value })}
            />
          </FormField>
        ))}
      </div>
      <Segments
        name="language"
        label={tc('BoxOffice.language')}
        options={window.GUICHET.languages.map(({ code, label }) => ({ value: code, label }))}
        value={form.language || ownLanguage}
        onChange={(language) => set({ language })}
      />
    </>
  );
}

function Total({ sale, form, busy }) {
  const { tc } = useTranslation();
  const lines = sale.prices.map((price) => ({
    admits: price.admits,
    amount: amountOf(price, form.amounts),
    quantity: form.quantities[price.id] ?? 0,
  }));
  const words = lines.some(({ admits, quantity }) => !admits && quantity > 0) ? 'BoxOffice.items' : 'BoxOffice.count';
  const count = lines.reduce((all, { quantity }) => all + quantity, 0);
  const total = sum(lines.map(({ amount, quantity }) => times(amount, quantity)));
  return (
    <div className="gt-total">
      <p aria-live="polite">
        <strong>{money(form.paymentMethod === 'offered' ? '0.00' : total)}</strong>
        <span className="gt-small">{count > 0 ? tc(words, { count }) : tc('BoxOffice.nothingYet')}</span>
      </p>
      <button type="submit" className="gt-button" disabled={busy}>
        {busy ? tc('BoxOffice.selling') : tc('BoxOffice.sell')}
      </button>
    </div>
  );
}

/** The box office: event, number of tickets per price, buyer and payment method; after the sale, the tickets. */
export default function BoxOffice({ resource, action }) {
  const { tc, tm } = useTranslation();
  const notify = useNotice();
  const navigate = useNavigate();
  const { search, pathname } = useLocation();
  const wanted = new URLSearchParams(search).get('event');
  const request = { resourceId: resource.id, actionName: action.name };
  const [view, setView] = useState(null);
  const [form, setForm] = useState(EMPTY);
  const [errors, setErrors] = useState({});
  const [sold, setSold] = useState(null);
  const [busy, setBusy] = useState(false);
  const selling = useRef(false);
  const latest = useRef(0);
  const load = async (event) => {
    const turn = (latest.current += 1);
    try {
      const { data } = await api.resourceAction({ ...request, ...(event && { params: { event } }) });
      if (turn === latest.current) setView(data.view);
    } catch {
      notify({ message: 'failed', type: 'error' });
    }
  };
  useEffect(() => void load(wanted), [wanted]);
  const set = (change) => setForm((before) => ({ ...before, ...change }));
  const choose = (event) => {
    set({ quantities: {}, amounts: {}, optionIds: [], answers: {} });
    setErrors({});
    navigate({ pathname, search: `?event=${encodeURIComponent(event)}` }, { replace: true });
  };
  const sell = async (event) => {
    event.preventDefault();
    if (selling.current) return;
    selling.current = true;
    setBusy(true);
    const { quantities: _quantities, amounts: _amounts, answers: _answers, ...rest } = form;
    const { tickets, answers, starts } = linesToSend(view.sale, form);
    try {
      const { data } = await api.resourceAction({
        ...request,
        // Staff sell before people who wait only when the page says that some do.
        data: { ...rest, ...answers, tickets, eventId: view.eventId, passesList: view.sale.event.waiting > 0 },
      });
      const faults = Object.entries(data.errors ?? {}).map(([field, { message }]) => [field, message]);
      if (data.view?.sold) setSold(data.view.sold);
      else {
        if (data.notice) notify(data.notice);
        await load(view.eventId);
      }
      // Last, so that the focus moves to a fault before people go on.
      setErrors(Object.fromEntries(answerFaults(faults, starts)));
      if (faults.length > 0) focusOnFault();
    } catch {
      notify({ message: 'failed', type: 'error' });
    }
    selling.current = false;
    setBusy(false);
  };
  const another = () => {
    setForm((before) => ({ ...EMPTY, paymentMethod: before.paymentMethod }));
    setSold(null);
    void load(view.eventId);
  };
  if (!view) return <Loader />;
  if (sold) return <SoldTickets sold={sold} another={another} resourceId={resource.id} />;
  if (view.events.length === 0) return <p className="gt-panel gt-nothing">{tc('BoxOffice.noEvents')}</p>;
  const message = (text) => (text ? tm(text, resource.id) : undefined);
  const generalErrors = Object.entries(errors).filter(
    ([field]) => !FIELDS.has(field) && !field.startsWith('tickets') && !field.includes('answer_'),
  );
  const ticketFault = Object.entries(errors).find(([field]) => field.startsWith('tickets'))?.[1];
  return (
    <form className="gt-panel gt-box-office" onSubmit={(event) => void sell(event)} noValidate>
      {view.notOnSale ? <p className="gt-stale">{tc('BoxOffice.notOnSale')}</p> : null}
      <EventChoice view={view} choose={choose} fault={message(errors.eventId)} />
      {generalErrors.map(([field, text]) => (
        <Fault key={field} text={message(text)} />
      ))}
      {view.sale?.event.waiting > 0 ? <p className="gt-stale">{tc('BoxOffice.waiting', { count: view.sale.event.waiting })}</p> : null}
      {view.sale ? (
        <>
          <PriceSteppers
            prices={view.sale.prices}
            quantities={form.quantities}
            change={(quantities) => set({ quantities })}
            amounts={form.amounts}
            changeAmounts={(amounts) => set({ amounts })}
            fault={message(ticketFault)}
          />
          <Options
            options={view.sale.options}
            value={form.optionIds}
            fault={message(errors.options)}
            onChange={(optionIds) => set({ optionIds })}
          />
          <BuyerQuestions
            sale={view.sale}
            quantities={form.quantities}
            answers={form.answers}
            errors={errors}
            change={(answers) => set({ answers })}
          />
          <Buyer form={form} set={set} errors={errors} ownLanguage={view.language} mailed={view.mailed} />
          <Segments
            name="paymentMethod"
            label={tc('BoxOffice.payment')}
            fault={message(errors.paymentMethod)}
            options={METHODS.map((value) => ({ value, label: tc(`BoxOffice.${value}`) }))}
            value={form.paymentMethod}
            onChange={(paymentMethod) => set({ paymentMethod })}
          />
          <Total sale={view.sale} form={form} busy={busy} />
        </>
      ) : view.notOnSale ? null : (
        <p>{tc('BoxOffice.choose')}</p>
      )}
    </form>
  );
}

const FIELDS = new Set(['eventId', 'email', 'paymentMethod', 'options']);
