import { answerLimits, type Question } from '#catalogue';
import type { WholeReservation } from '#tickets';
import { type Field, CheckboxField, Fault, faulty, fieldClass, InputField, OptionalMark, SelectField, TextareaField } from '#page-kit';
import type { VNode } from 'preact';
import { Fieldset } from './contact-fields.js';
import { questionField, subjectsOf, type TypedContact } from './contact-form.dto.js';
import type { OrderWords } from '../frame/order.words.js';

/** What the questions of an order are shown with. */
export interface ShownQuestions {
  readonly questions: readonly Question[];
  readonly tickets: WholeReservation['tickets'];
  readonly typed: TypedContact;
  readonly faults: ReadonlyMap<string, string>;
  readonly words: OrderWords;
}

/** Questions asked once; nothing without one. */
export function OrderQuestions({ shown }: { readonly shown: ShownQuestions }): VNode | null {
  const once = shown.questions.filter(({ scope }) => scope === 'reservation');
  if (once.length === 0) return null;
  return (
    <Fieldset legend={shown.words.questions}>
      {once.map((question) => (
        <QuestionField shown={shown} question={question} place={0} />
      ))}
    </Fieldset>
  );
}

/** Fields of the questions asked for one ticket; none without one. */
export function ticketQuestions(shown: ShownQuestions, ticket: WholeReservation['tickets'][number]): VNode[] {
  const asked = shown.questions.filter(({ scope }) => scope === 'ticket');
  return asked.flatMap((question) => {
    const place = subjectsOf(question, shown.tickets).indexOf(ticket);
    return place < 0 ? [] : [<QuestionField shown={shown} question={question} place={place} />];
  });
}

interface QuestionProps {
  readonly shown: ShownQuestions;
  readonly question: Question;
  /** Position among the tickets that the question is asked for. */
  readonly place: number;
}

function QuestionField({ shown, question, place }: QuestionProps): VNode {
  const { typed, faults, words } = shown;
  const { kind, label, help, required, choices } = question;
  const name = questionField(question);
  const id = `${name}-${place}`;
  const values = typed(name);
  const value = values[place] ?? '';
  const field: Field = {
    name: id,
    label,
    hint: help ?? undefined,
    optional: !required && kind !== 'choice',
    fault: faults.get(id),
  };
  if (kind === 'text')
    return <InputField field={field} attributes={{ name, value, maxlength: answerLimits.text, required, autocomplete: 'off' }} />;
  if (kind === 'long_text')
    return <TextareaField field={field} value={value} attributes={{ name, maxlength: answerLimits.long_text, rows: 3, required }} />;
  if (kind === 'choice') {
    const options = choices.map((choice) => [choice, choice] as const);
    return <SelectField field={field} value={value} choices={options} attributes={{ name, required }} empty={words.choose} />;
  }
  if (kind === 'yes_no')
    return (
      <>
        <CheckboxField field={field} checked={values.includes(String(place))} attributes={{ name, value: String(place) }} />
        {help !== null && <p class="hint">{help}</p>}
      </>
    );
  return <ChoiceFields shown={shown} question={question} place={place} field={field} />;
}

/** One checkbox for each choice. */
function ChoiceFields({ shown, question, place, field }: QuestionProps & { readonly field: Field }): VNode {
  const { name: id, label, hint, optional, fault } = field;
  const name = questionField(question);
  const values = shown.typed(name);
  return (
    <fieldset class={fieldClass('field choices', fault)} tabindex={-1} id={id} {...faulty(id, fault)} aria-invalid={undefined}>
      <legend>
        {label}
        {optional && <OptionalMark />}
      </legend>
      {hint !== undefined && <p class="hint">{hint}</p>}
      <Fault name={id} fault={fault} />
      {question.choices.map((choice, index) => {
        const [boxId, value] = [`${id}-${index}`, `${place}.${index}`];
        return (
          <div class="choice">
            <input type="checkbox" id={boxId} name={name} value={value} checked={values.includes(value)} />
            <label for={boxId}>{choice}</label>
          </div>
        );
      })}
    </fieldset>
  );
}
