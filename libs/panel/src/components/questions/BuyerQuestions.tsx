import { useTranslation } from 'adminjs';
import { FormControl, initialValue, type FieldValue } from '#panel-kit/components/forms/FormControl.js';
import type { Faults } from '#panel-kit/components/page/view.js';
import type { SaleView } from '../../box-office/sale-view.js';

/** What is asked for what is sold. */
type Asking = Pick<SaleView, 'prices' | 'questions'>;
type Question = SaleView['questions'][number];

/** Chosen numbers by price. */
export type Quantities = Readonly<Record<string, number>>;
/** What is typed, by the key of the question in the form. */
export type TypedAnswers = Readonly<Record<string, FieldValue>>;

/** One line of a sale, as it is sent. */
export type SentLine = { readonly priceId: string; readonly quantity: number; readonly amount: string | undefined };

const isTicketQuestion = ({ scope }: Question): boolean => scope === 'ticket';

/** The questions of the chosen products. */
function askedOf({ prices, questions }: Asking, quantities: Quantities): Question[] {
  const products = new Set(prices.filter(({ id }) => (quantities[id] ?? 0) > 0).map(({ productId }) => productId));
  return questions.filter(({ productId }) => products.has(productId));
}

/** The chosen tickets that have questions, one by one. */
function askedTickets({ prices, questions }: Asking, quantities: Quantities) {
  return prices.flatMap((price) => {
    const asked = questions.filter((one) => isTicketQuestion(one) && one.productId === price.productId);
    if (asked.length === 0) return [];
    return Array.from({ length: quantities[price.id] ?? 0 }, (_, index) => ({ price, index, asked }));
  });
}

const answersWith = (answers: TypedAnswers, start: string): TypedAnswers =>
  Object.fromEntries(
    Object.entries(answers)
      .filter(([key]) => key.startsWith(start))
      .map(([key, value]) => [key.slice(start.length), value]),
  );

/**
 * The lines to send: one per ticket with questions, one per other price, with the amount of a free price.
 * @returns also where the form keeps the answers of each line, to assign the server's errors
 */
export function linesToSend(
  sale: Asking,
  { quantities, amounts, answers }: { readonly quantities: Quantities; readonly amounts: Faults; readonly answers: TypedAnswers },
) {
  const single = new Set(askedTickets(sale, quantities).map(({ price }) => price.id));
  const lines = Object.entries(quantities)
    .filter(([, quantity]) => quantity > 0)
    .flatMap(([priceId, quantity]) =>
      single.has(priceId)
        ? Array.from({ length: quantity }, (_, index) => ({ priceId, quantity: 1, start: `${priceId}.${index}.` }))
        : [{ priceId, quantity, start: `${priceId}.` }],
    );
  const once = new Set(
    askedOf(sale, quantities)
      .filter((one) => !isTicketQuestion(one))
      .map(({ field }) => field.name),
  );
  return {
    tickets: lines.map(({ start, ...line }): SentLine => ({
      ...line,
      amount: amounts[line.priceId],
      ...answersWith(answers, start),
    })),
    answers: Object.fromEntries(Object.entries(answers).filter(([key]) => once.has(key))),
    starts: lines.map(({ start }) => start),
  };
}

/** The form's key of the answer that an error is about; errors of other fields keep theirs. */
export function answerField(field: string, starts: readonly string[]): string {
  const [, line, name] = /^tickets\.(\d+)\.(answer_.*)$/.exec(field) ?? [];
  return line === undefined ? field : `${starts[Number(line)]}${name}`;
}

/** The products' questions: per reservation, and per ticket. */
export function BuyerQuestions({
  sale,
  quantities,
  answers,
  errors,
  change,
}: {
  readonly sale: Asking;
  readonly quantities: Quantities;
  readonly answers: TypedAnswers;
  readonly errors: Faults;
  readonly change: (answers: TypedAnswers) => void;
}) {
  const { tc } = useTranslation();
  const control = (field: Question['field'], key: string) => (
    <FormControl
      key={key}
      field={{ ...field, name: key }}
      value={answers[key] ?? initialValue(field)}
      fault={errors[key]}
      onChange={(value) => change({ ...answers, [key]: value })}
    />
  );
  const once = askedOf(sale, quantities).filter((one) => !isTicketQuestion(one));
  const tickets = askedTickets(sale, quantities);
  return (
    <>
      {once.map(({ field }) => control(field, field.name))}
      {tickets.map(({ price, index, asked }, number) => (
        <fieldset key={`${price.id}.${index}`} className="gt-question-group">
          <legend>{tc('BoxOffice.ticketOf', { number: number + 1, name: price.name })}</legend>
          {asked.map(({ field }) => control(field, `${price.id}.${index}.${field.name}`))}
        </fieldset>
      ))}
    </>
  );
}
