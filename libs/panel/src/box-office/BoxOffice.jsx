import React, { useEffect, useRef, useState } from 'react';
import { ApiClient, useNotice, useTranslation } from 'adminjs';
import { Loader } from '@adminjs/design-system';
import { useLocation, useNavigate } from 'react-router';
import { BuyerQuestions } from '../questions/BuyerQuestions.jsx';
import { Fault, focusOnFault } from '#panel-kit/components/forms/FormField.jsx';
import { Buyer } from './sale/Buyer.jsx';
import { EventChoice } from './sale/EventChoice.jsx';
import { Options } from './sale/Options.jsx';
import { METHODS, Payment } from './sale/Payment.jsx';
import { mostOf, PriceSteppers } from './sale/PriceSteppers.jsx';
import { useKeys } from './sale/sale-keys.js';
import { chosenParts, EMPTY, EMPTY_PART, faultsOf, MEMBERSHIPS, saleToSend } from './sale/sale-state.js';
import { SoldTickets } from './sold/SoldTickets.jsx';

const api = new ApiClient();
const BUYER_FIELDS = new Set(['eventId', 'email', 'paymentMethod', 'tickets']);
const focusOn = (selector) => setTimeout(() => document.querySelector(selector)?.focus(), 0);

/** The box office: tickets of one or several events, memberships, the buyer, and a button for each way to pay; then what was sold. */
export default function BoxOffice({ resource, action }) {
  const { tc, tm } = useTranslation();
  const notify = useNotice();
  const navigate = useNavigate();
  const { search, pathname } = useLocation();
  const wanted = new URLSearchParams(search).get('event');
  const request = { resourceId: resource.id, actionName: action.name };
  const [view, setView] = useState(null);
  const [sales, setSales] = useState({});
  const [form, setForm] = useState(EMPTY);
  const [errors, setErrors] = useState({ all: {} });
  const [sold, setSold] = useState(null);
  const [busy, setBusy] = useState(false);
  const selling = useRef(false);
  const latest = useRef(0);
  const load = async (event) => {
    const turn = (latest.current += 1);
    try {
      const { data } = await api.resourceAction({ ...request, ...(event && { params: { event } }) });
      if (turn !== latest.current) return;
      const { sale, eventId, memberships } = data.view;
      setSales((before) => ({ ...before, ...(sale && { [eventId]: sale }), ...(memberships && { [MEMBERSHIPS]: memberships }) }));
      setView(data.view);
    } catch {
      notify({ message: 'failed', type: 'error' });
    }
  };
  useEffect(() => void load(wanted), [wanted]);
  const current = wanted === MEMBERSHIPS && view?.memberships ? MEMBERSHIPS : view?.eventId;
  const sale = current && (current === MEMBERSHIPS ? view.memberships : view.sale);
  const part = form.parts[current] ?? EMPTY_PART;
  const set = (change) => setForm((before) => ({ ...before, ...change }));
  const setPart = (change) =>
    setForm((before) => ({
      ...before,
      parts: { ...before.parts, [current]: { ...(before.parts[current] ?? EMPTY_PART), ...change } },
    }));
  const remove = (key) => setForm((before) => ({ ...before, parts: { ...before.parts, [key]: EMPTY_PART } }));
  const choose = (event) => navigate({ pathname, search: `?event=${encodeURIComponent(event)}` }, { replace: true });
  const chosen = chosenParts(form, sales);
  const sell = async (method) => {
    if (selling.current) return;
    selling.current = true;
    setBusy(true);
    const { data: body, sent } = saleToSend(form, sales, method);
    try {
      const { data } = await api.resourceAction({ ...request, data: body });
      const faults = faultsOf(data.errors ?? {}, sent);
      const faulty = Object.keys(faults).filter((key) => key !== 'all');
      if (data.view?.sold) setSold(data.view.sold);
      else {
        if (data.notice) notify(data.notice);
        // Errors are shown where their tickets were chosen.
        if (faulty.length > 0 && !faulty.includes(current)) choose(faulty[0]);
        await load(faulty.length > 0 && !faulty.includes(current) ? faulty[0] : wanted);
      }
      // Last, so that the focus moves to a fault before people go on.
      setErrors(faults);
      if (Object.keys(data.errors ?? {}).length > 0) focusOnFault();
    } catch {
      notify({ message: 'failed', type: 'error' });
    }
    selling.current = false;
    setBusy(false);
  };
  const another = () => {
    setForm(EMPTY);
    setSales({});
    setSold(null);
    void load(wanted).then(() => focusOn('.gt-step-more:not(:disabled)'));
  };
  useKeys(
    sold || !sale
      ? {}
      : {
          ...Object.fromEntries(
            sale.prices.slice(0, 9).map((price, index) => [
              String(index + 1),
              () =>
                setPart({
                  quantities: { ...part.quantities, [price.id]: Math.min(mostOf(price), (part.quantities[price.id] ?? 0) + 1) },
                }),
            ]),
          ),
          0: () => setPart({ quantities: {} }),
          ...Object.fromEntries(METHODS.map(([method, key]) => [tc(key).toLowerCase(), () => void sell(method)])),
        },
  );
  if (!view) return <Loader />;
  if (sold) return <SoldTickets sold={sold} another={another} resourceId={resource.id} />;
  if (view.events.length === 0 && !view.memberships) return <p className="gt-panel gt-nothing">{tc('BoxOffice.noEvents')}</p>;
  const message = (text) => (text ? tm(text, resource.id) : undefined);
  const own = errors[current] ?? {};
  const ticketFault = Object.entries({ ...errors.all, ...own }).find(
    ([field]) => field.startsWith('tickets') && !field.includes('answer_'),
  )?.[1];
  const general = [
    ...Object.entries(errors.all).filter(([field]) => !BUYER_FIELDS.has(field)),
    ...Object.entries(own).filter(([field]) => !field.startsWith('tickets') && field !== 'options' && !field.includes('answer_')),
  ];
  const toPayment = (event) => {
    if (event.key !== 'Enter' || event.target.tagName !== 'INPUT') return;
    event.preventDefault();
    focusOn('.gt-pay button');
  };
  return (
    // Enter in a field leads to the payment, because it does not say how somebody pays.
    <form className="gt-panel gt-box-office" data-keys onSubmit={(event) => event.preventDefault()} onKeyDown={toPayment} noValidate>
      {view.notOnSale ? <p className="gt-stale">{tc('BoxOffice.notOnSale')}</p> : null}
      <EventChoice view={view} chosen={current} choose={choose} fault={message(errors.all.eventId)} />
      {general.map(([field, text]) => (
        <Fault key={field} text={message(text)} />
      ))}
      {sale?.event?.waiting > 0 ? <p className="gt-stale">{tc('BoxOffice.waiting', { count: sale.event.waiting })}</p> : null}
      {sale ? (
        <>
          <PriceSteppers
            legend={tc(current === MEMBERSHIPS ? 'BoxOffice.memberships' : 'BoxOffice.tickets')}
            prices={sale.prices}
            quantities={part.quantities}
            change={(quantities) => setPart({ quantities })}
            amounts={part.amounts}
            changeAmounts={(amounts) => setPart({ amounts })}
            fault={message(ticketFault)}
          />
          <Options
            options={sale.options}
            value={part.optionIds}
            fault={message(own.options)}
            onChange={(optionIds) => setPart({ optionIds })}
          />
          <BuyerQuestions
            sale={sale}
            quantities={part.quantities}
            answers={part.answers}
            errors={own}
            change={(answers) => setPart({ answers })}
          />
        </>
      ) : view.notOnSale ? null : (
        <p>{tc('BoxOffice.choose')}</p>
      )}
      {sale || chosen.length > 0 ? (
        <>
          <Buyer
            form={form}
            set={set}
            errors={errors.all}
            needsEmail={chosen.some(({ key }) => key === MEMBERSHIPS)}
            ownLanguage={view.language}
            mailed={view.mailed}
          />
          <Payment
            {...{ chosen, current, choose, remove, busy }}
            sell={(method) => void sell(method)}
            fault={message(errors.all.paymentMethod)}
          />
        </>
      ) : null}
    </form>
  );
}
