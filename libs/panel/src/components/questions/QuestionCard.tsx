import type { ReactNode } from 'react';
import { useTranslation } from 'adminjs';
import { describing, FormField, type Option } from '#panel-kit/components/forms/FormField.js';
import type { Faults } from '#panel-kit/components/page/view.js';
import type { QuestionsView } from '../../questions/questions.action.js';

type TextMember = 'label' | 'help' | 'kind' | 'scope' | 'choices';

/** A question in the editor. */
export type EditedQuestion = Omit<QuestionsView['questions'][number], TextMember | 'id'> &
  Readonly<Record<TextMember, string>> & { readonly id?: string; readonly key: string };

const HAS_CHOICES = new Set(['choice', 'multiple_choice']);

function Select({
  id,
  fault,
  value,
  options,
  onChange,
}: {
  readonly id: string;
  readonly fault: string | undefined;
  readonly value: string;
  readonly options: readonly Option[];
  readonly onChange: (value: string) => void;
}) {
  return (
    <select id={id} value={value} {...describing(id, fault)} onChange={({ target }) => onChange(target.value)}>
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  );
}

/** Where the question is among all, and what moves it. */
interface Moving {
  readonly index: number;
  readonly count: number;
  readonly move: (by: number) => void;
  readonly remove: () => void;
}

function Buttons({ index, count, move, remove }: Moving) {
  const { tc } = useTranslation();
  const number = index + 1;
  const button = (word: string, sign: string, isOff: boolean, onClick: () => void) => (
    <button
      type="button"
      className="gt-button gt-button-quiet gt-button-small"
      aria-label={tc(`QuestionsEditor.${word}`, { number })}
      disabled={isOff}
      onClick={onClick}
    >
      {sign}
    </button>
  );
  return (
    <span className="gt-question-buttons">
      {button('up', '↑', index === 0, () => move(-1))}
      {button('down', '↓', index === count - 1, () => move(1))}
      {button('remove', '✕', false, remove)}
    </span>
  );
}

/** One question in the editor. */
export function QuestionCard({
  question,
  index,
  count,
  view,
  errors,
  change,
  move,
  remove,
}: Moving & {
  readonly question: EditedQuestion;
  readonly view: QuestionsView;
  readonly errors: Faults;
  readonly change: (more: Partial<EditedQuestion>) => void;
}) {
  const { tc } = useTranslation();
  const idOf = (member: TextMember): string => `question-${index}-${member}`;
  const faultOf = (member: TextMember): string | undefined => errors[`questions/${index}/${member}`];
  const field = (member: TextMember, control: ReactNode, more: { readonly optional?: boolean; readonly help?: string } = {}) => (
    <FormField name={idOf(member)} label={tc(`QuestionsEditor.${member}`)} fault={faultOf(member)} {...more}>
      {control}
    </FormField>
  );
  const props = (member: TextMember, help?: boolean) => ({
    id: idOf(member),
    value: question[member],
    ...describing(idOf(member), faultOf(member), help),
    onChange: ({ target }: { readonly target: { readonly value: string } }) => change({ [member]: target.value }),
  });
  const select = (member: TextMember, options: readonly Option[]) => (
    <Select
      id={idOf(member)}
      fault={faultOf(member)}
      value={question[member]}
      options={options}
      onChange={(value) => change({ [member]: value })}
    />
  );
  return (
    <li className="gt-question">
      <div className="gt-question-head">
        <h3>{tc('QuestionsEditor.number', { number: index + 1 })}</h3>
        <Buttons index={index} count={count} move={move} remove={remove} />
      </div>
      {field('label', <input {...props('label')} type="text" maxLength={view.limits.label} autoComplete="off" aria-required />)}
      <div className={view.scopes.length > 0 ? 'gt-field-row' : undefined}>
        {field('kind', select('kind', view.kinds))}
        {view.scopes.length > 0 ? field('scope', select('scope', view.scopes)) : null}
      </div>
      {HAS_CHOICES.has(question.kind)
        ? field('choices', <textarea {...props('choices', true)} rows={4} maxLength={6000} aria-required />, {
            help: tc('QuestionsEditor.choicesHelp'),
          })
        : null}
      {field('help', <input {...props('help')} type="text" maxLength={view.limits.help} autoComplete="off" />, {
        optional: true,
      })}
      <label className="gt-check">
        <input type="checkbox" checked={question.required} onChange={({ target }) => change({ required: target.checked })} />
        {tc(question.kind === 'yes_no' ? 'QuestionsEditor.mustBeYes' : 'QuestionsEditor.required')}
      </label>
    </li>
  );
}
