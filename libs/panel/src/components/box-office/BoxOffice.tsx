import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'adminjs';
import { Loader } from '@adminjs/design-system';
import { useLocation, useNavigate } from 'react-router';
import { Fault, focusOnFault } from '#panel-kit/components/forms/FormField.js';
import { addressOf, call, useFailed, useSend, type Faults, type ResourcePage } from '#panel-kit/components/page/view.js';
import type { BoxOfficeView, SaleView } from '../../box-office/sale-view.js';
import type { SoldView } from '../../box-office/sold-view.js';
import { BuyerQuestions } from '../questions/BuyerQuestions.js';
import type { ReaderView } from '../../box-office/reader-sale.js';
import { AtReader, type ReaderStep } from './sale/AtReader.js';
import { Buyer } from './sale/Buyer.js';
import { CodeField } from './sale/CodeField.js';
import { useDiscounts } from './sale/discount-quote.js';
import { EventChoice } from './sale/EventChoice.js';
import { Options } from './sale/Options.js';
import { methodsOf, Payment } from './sale/Payment.js';
import { mostOf, PriceSteppers } from './sale/PriceSteppers.js';
import { useKeys } from './sale/sale-keys.js';
import {
  chosenParts,
  EMPTY,
  EMPTY_PART,
  faultsOf,
  MEMBERSHIPS,
  saleToSend,
  type Method,
  type Reader,
  type SaleFaults,
  type SaleForm,
  type SalePart,
  type Sales,
} from './sale/sale-state.js';
import { SoldTickets } from './sold/SoldTickets.js';

const BUYER_FIELDS = new Set(['eventId', 'email', 'paymentMethod', 'tickets', 'giftCard', 'customerId']);
const focusOn = (selector: string) => setTimeout(() => document.querySelector<HTMLElement>(selector)?.focus(), 0);

const partOf = ({ parts }: SaleForm, key: string | null): SalePart => (key === null ? undefined : parts[key]) ?? EMPTY_PART;

/** The box office: tickets of one or several events, memberships, the buyer, and a button for each way to pay; then what was sold. */
export default function BoxOffice({ resource, action }: ResourcePage) {
  const { tc, tm } = useTranslation();
  const failed = useFailed();
  const { busy, send } = useSend(resource.id);
  const navigate = useNavigate();
  const { search, pathname } = useLocation();
  const wanted = new URLSearchParams(search).get('event');
  const address = addressOf({ resource, action });
  const [view, setView] = useState<BoxOfficeView | null>(null);
  const [sales, setSales] = useState<Sales>({});
  const [form, setForm] = useState(EMPTY);
  const [errors, setErrors] = useState<SaleFaults>({ all: {} });
  const [sold, setSold] = useState<SoldView | null>(null);
  const [reader, setReader] = useState<ReaderView | null>(null);
  const latest = useRef(0);
  const load = async (event: string | null): Promise<void> => {
    const turn = (latest.current += 1);
    try {
      const { view: read } = await call<BoxOfficeView>(address, event ? { params: { event } } : {});
      if (turn !== latest.current || !read) return;
      const { sale, eventId, memberships } = read;
      setSales((before) => ({
        ...before,
        ...(sale && eventId && { [eventId]: sale }),
        ...(memberships && { [MEMBERSHIPS]: memberships }),
      }));
      setView(read);
    } catch {
      failed();
    }
  };
  useEffect(() => void load(wanted), [wanted]);
  const current = wanted === MEMBERSHIPS && view?.memberships ? MEMBERSHIPS : (view?.eventId ?? null);
  const sale: SaleView | null = (current === MEMBERSHIPS ? view?.memberships : view?.sale) ?? null;
  const part = partOf(form, current);
  const set = (change: Partial<SaleForm>): void => setForm((before) => ({ ...before, ...change }));
  const setPart = (change: Partial<SalePart>): void =>
    setForm((before) => ({
      ...before,
      parts: { ...before.parts, ...(current !== null && { [current]: { ...partOf(before, current), ...change } }) },
    }));
  const remove = (key: string): void => setForm((before) => ({ ...before, parts: { ...before.parts, [key]: EMPTY_PART } }));
  const choose = (event: string): void => navigate({ pathname, search: `?event=${encodeURIComponent(event)}` }, { replace: true });
  const chosen = useDiscounts(address, chosenParts(form, sales), { form, sales, isAsked: view?.hasDiscounts ?? false });
  const sell = async (way: Method | Reader): Promise<void> => {
    if (chosen.some(({ isOpen }) => isOpen)) return;
    const { data, sent } = saleToSend(form, sales, way);
    // Nothing is sold on the numbers of before: people go on once the new ones are read.
    await send<ReaderStep>(address, data, async (answer) => {
      const faults = faultsOf(answer.errors, sent);
      const faulty = Object.keys(faults).filter((key) => key !== 'all');
      if (answer.view?.sold ?? answer.view?.reader) learn(answer.view);
      else {
        // Errors are shown where their tickets were chosen.
        const [elsewhere] = current !== null && faulty.includes(current) ? [] : faulty;
        if (elsewhere !== undefined) choose(elsewhere);
        await load(elsewhere ?? wanted);
      }
      // Last, so that the focus moves to a fault before people go on.
      setErrors(faults);
      if (answer.errors && Object.keys(answer.errors).length > 0) focusOnFault();
    });
  };
  const learn = ({ sold: paid, reader: asking, givenUp }: ReaderStep): void => {
    setReader(asking ?? null);
    if (paid) setSold(paid);
    if (givenUp) void load(wanted);
  };
  const another = (): void => {
    setForm(EMPTY);
    setSales({});
    setSold(null);
    void load(wanted).then(() => focusOn('.gt-step-more:not(:disabled)'));
  };
  // What a customer has on account is not paid now.
  const readers = form.customerId === '' ? (view?.readers ?? []) : [];
  const [firstReader] = readers;
  useKeys(
    sold || reader || !sale
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
          ...Object.fromEntries(methodsOf(form).map(([method, key]) => [tc(key).toLowerCase(), () => void sell(method)])),
          ...(firstReader && { [tc('BoxOffice.keyReader').toLowerCase()]: () => void sell(firstReader) }),
        },
  );
  if (!view) return <Loader />;
  if (sold) return <SoldTickets sold={sold} another={another} resourceId={resource.id} />;
  if (reader) return <AtReader address={address} view={reader} done={learn} />;
  if (view.events.length === 0 && !view.memberships) return <p className="gt-panel gt-nothing">{tc('BoxOffice.noEvents')}</p>;
  const message = (text: string | undefined): string | undefined => (text ? tm(text, resource.id) : undefined);
  const own: Faults = (current === null ? undefined : errors[current]) ?? {};
  const ticketFault = Object.entries({ ...errors.all, ...own }).find(
    ([field]) => field.startsWith('tickets') && !field.includes('answer_'),
  )?.[1];
  const general = [
    ...Object.entries(errors.all).filter(([field]) => !BUYER_FIELDS.has(field)),
    ...Object.entries(own).filter(
      ([field]) => !field.startsWith('tickets') && field !== 'options' && field !== 'code' && !field.includes('answer_'),
    ),
  ];
  const toPayment = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return;
    event.preventDefault();
    focusOn('.gt-pay button');
  };
  const waiting = sale?.event?.waiting ?? 0;
  return (
    // Enter in a field leads to the payment, because it does not say how somebody pays.
    <form className="gt-panel gt-box-office" data-keys onSubmit={(event) => event.preventDefault()} onKeyDown={toPayment} noValidate>
      {view.notOnSale ? <p className="gt-stale">{tc('BoxOffice.notOnSale')}</p> : null}
      <EventChoice view={view} chosen={current} choose={choose} fault={message(errors.all['eventId'])} />
      {general.map(([field, text]) => (
        <Fault key={field} text={message(text)} />
      ))}
      {waiting > 0 ? <p className="gt-stale">{tc('BoxOffice.waiting', { count: waiting })}</p> : null}
      {sale ? (
        <>
          <PriceSteppers
            legend={tc(current === MEMBERSHIPS ? 'BoxOffice.memberships' : 'BoxOffice.tickets')}
            prices={sale.prices}
            quantities={part.quantities}
            change={(quantities) => setPart({ quantities })}
            amounts={part.amounts}
            changeAmounts={(amounts) => setPart({ amounts })}
            coded={part.coded}
            fault={message(ticketFault)}
          />
          {view.hasCodes || part.code !== '' ? (
            <CodeField address={address} event={sale.event?.id ?? MEMBERSHIPS} part={part} fault={message(own['code'])} set={setPart} />
          ) : null}
          <Options
            options={sale.options}
            value={part.optionIds}
            fault={message(own['options'])}
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
            hasGiftCards={view.hasGiftCards}
            customers={view.customers}
          />
          <Payment
            {...{ chosen, current, choose, remove, busy }}
            methods={methodsOf(form)}
            readers={readers}
            sell={(way) => void sell(way)}
            fault={message(errors.all['paymentMethod'])}
          />
        </>
      ) : null}
    </form>
  );
}
