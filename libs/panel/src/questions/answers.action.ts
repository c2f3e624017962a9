import type { AnswersService, AskedQuestion } from '#tickets';
import { answerLimits, type Question } from '#catalogue';
import type { Language } from '#kernel';
import { formAction, type FormField, currentPanelRequest, PanelFieldError, panelWords } from '#panel-kit';
import type { PanelAction, PanelRow, PanelValue } from '#panel-kit';
import { questionTexts } from './questions.words.js';
import { refusable } from '../forms/refusals.js';

/** Field names are `answer_<question>` or `answer_<ticket>_<question>`, because the panel allows no name that begins with a digit. */
const prefix = 'answer_';

/** A question as a form field. Staff may leave it empty; questions that buyers must answer are marked. */
export function questionField(question: Question, key: string, value?: AskedQuestion['value'], of?: string): FormField {
  const { language } = currentPanelRequest();
  const { label, help, kind, choices, required } = question;
  const helps = [help, required && questionTexts[language].requiredOnline].filter(Boolean);
  return {
    name: `${prefix}${key.replace('.', '_')}`,
    label: of ? `${label} – ${of}` : label,
    ...controlOf(kind, choices, value, language),
    ...(helps.length > 0 && { help: helps.join(' ') }),
  };
}

function controlOf(
  kind: Question['kind'],
  choices: readonly string[],
  value: AskedQuestion['value'],
  language: Language,
): Pick<FormField, 'kind' | 'options' | 'value' | 'longest'> {
  const options = choices.map((choice) => ({ value: choice, label: choice }));
  const { yes, no, none } = panelWords(language).labels;
  switch (kind) {
    case 'choice':
      return { kind: 'select', options, value: String(value ?? '') };
    case 'multiple_choice':
      return { kind: 'checks', options, value: [...((value as readonly string[] | undefined) ?? [])] };
    case 'yes_no': {
      const both = [
        { value: '', label: none },
        { value: 'true', label: yes },
        { value: 'false', label: no },
      ];
      return { kind: 'choice', options: both, value: String(value ?? '') };
    }
    default:
      return { kind: kind === 'text' ? 'text' : 'textarea', value: String(value ?? ''), longest: answerLimits[kind] };
  }
}

/** The answers in a form, by the key of their question. */
export function answersIn(values: PanelRow): Map<string, PanelValue> {
  const sent = Object.entries(values).filter(([name]) => name.startsWith(prefix));
  return new Map(sent.map(([name, value]) => [name.slice(prefix.length).replace('_', '.'), value]));
}

/** Runs a service call; errors of answers are shown beside their fields. @throws PanelFieldError */
export async function refusableAnswers<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await refusable(work);
  } catch (error) {
    if (!(error instanceof PanelFieldError)) throw error;
    const fields = Object.entries(error.fields).map(([field, fault]): [string, typeof fault] => {
      const [, line = '', key] = /^(tickets\.\d+\.)?answers\.(.+)$/.exec(field) ?? [];
      return [key === undefined ? field : `${line}${prefix}${key.replace('.', '_')}`, fault];
    });
    throw new PanelFieldError(Object.fromEntries(fields), error.summary);
  }
}

/** The action with which staff correct the answers of a reservation and its tickets, or of a membership. */
export function answersAction(answers: AnswersService, owner: 'reservationId' | 'membershipId'): PanelAction {
  const subjectOf = (id: string) => (owner === 'reservationId' ? { reservationId: id } : { membershipId: id });
  return formAction({
    icon: 'HelpCircle',
    visible: ({ asks }) => asks === true,
    form: async (id) => {
      const texts = questionTexts[currentPanelRequest().language];
      const asked = await answers.asked(subjectOf(id));
      if (asked.length === 0) return { lead: [texts.nothingAsked], fields: [] };
      const tickets = [...new Set(asked.map(({ ticket }) => ticket?.id))].filter((ticket) => ticket !== undefined);
      const fields = asked.map(({ question, ticket, value }) => {
        if (!ticket) return questionField(question, question.id, value);
        const name = [ticket.firstName, ticket.lastName].filter(Boolean).join(' ');
        const of = [texts.ticket(tickets.indexOf(ticket.id) + 1), name].filter(Boolean).join(', ');
        return questionField(question, `${ticket.id}.${question.id}`, value, of);
      });
      return { fields, submit: texts.save };
    },
    act: async (id, values) => {
      await refusableAnswers(() => answers.change(subjectOf(id), answersIn(values)));
      return { message: 'answersSaved' };
    },
  });
}
