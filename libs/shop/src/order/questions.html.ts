import { answerLimits, type Question } from '#catalogue';
import type { WholeReservation } from '#tickets';
import { escapeHtml } from '#kernel';
import { type Field, checkboxHtml, faultHtml, faulty, inputHtml, selectHtml, textareaHtml, written } from '#page-kit';
import { questionField, subjectsOf, type TypedContact } from './contact-form.dto.js';
import type { OrderWords } from './order.words.js';

/** What the questions of an order are shown with. */
export interface ShownQuestions {
  readonly questions: readonly Question[];
  readonly tickets: WholeReservation['tickets'];
  readonly typed: TypedContact;
  readonly faults: ReadonlyMap<string, string>;
  readonly words: OrderWords;
}

/** Questions asked once; empty without one. */
export function orderQuestionsHtml(shown: ShownQuestions): string {
  const once = shown.questions.filter(({ scope }) => scope === 'reservation');
  if (once.length === 0) return '';
  return fieldset(
    shown.words.questions,
    once.map((question) => questionHtml(shown, question, 0)),
  );
}

/** Questions asked for one ticket; empty without one. */
export function ticketQuestionsHtml(shown: ShownQuestions, ticket: WholeReservation['tickets'][number]): string[] {
  const asked = shown.questions.filter(({ scope }) => scope === 'ticket');
  return asked.flatMap((question) => {
    const place = subjectsOf(question, shown.tickets).indexOf(ticket);
    return place < 0 ? [] : [questionHtml(shown, question, place)];
  });
}

export function fieldset(legend: string, parts: readonly string[]): string {
  return `<fieldset>\n<legend>${escapeHtml(legend)}</legend>\n${parts.join('\n')}\n</fieldset>`;
}

/** @param place position among the tickets that the question is asked for */
function questionHtml({ typed, faults, words }: ShownQuestions, question: Question, place: number): string {
  const { kind, label, help, required, choices } = question;
  const name = questionField(question);
  const id = `${name}-${place}`;
  const values = typed(name);
  const value = values[place] ?? '';
  const field: Field = {
    name: id,
    label,
    ...(help !== null && { hint: help }),
    optional: required ? undefined : words.optional,
    fault: faults.get(id),
  };
  if (kind === 'text') return inputHtml(field, { name, value, maxlength: answerLimits.text, required, autocomplete: 'off' });
  if (kind === 'long_text') return textareaHtml(field, value, { name, maxlength: answerLimits.long_text, rows: 3, required });
  if (kind === 'choice')
    return selectHtml(
      field,
      value,
      choices.map((choice) => [choice, choice]),
      { name, required },
      words.choose,
    );
  if (kind === 'yes_no') {
    const ticked = checkboxHtml(field, values.includes(String(place)), { name, value: String(place) });
    return help === null ? ticked : `${ticked}<p class="hint">${escapeHtml(help)}</p>`;
  }
  const boxes = choices.map((choice, index) => {
    const own = `${place}.${index}`;
    const box = { type: 'checkbox', id: `${id}-${index}`, name, value: own, checked: values.includes(own) };
    return `<div class="choice"><input${written(box)}><label for="${id}-${index}">${escapeHtml(choice)}</label></div>`;
  });
  const legend = `${escapeHtml(label)}${required ? '' : ` <span class="optional">(${escapeHtml(words.optional)})</span>`}`;
  const attributes = written({ id, ...faulty(id, field.fault), 'aria-invalid': undefined });
  return `<fieldset class="field choices${field.fault === undefined ? '' : ' wrong'}" tabindex="-1"${attributes}>
<legend>${legend}</legend>
${help === null ? '' : `<p class="hint">${escapeHtml(help)}</p>\n`}${faultHtml(id, field.fault)}${boxes.join('\n')}
</fieldset>`;
}
