import React from 'react';
import { useTranslation } from 'adminjs';
import { describing, FormField } from '#panel-kit/components/forms/FormField.jsx';

const HAS_CHOICES = new Set(['choice', 'multiple_choice']);

function Select({ id, fault, value, options, onChange }) {
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

function Buttons({ index, count, move, remove }) {
  const { tc } = useTranslation();
  const number = index + 1;
  const button = (word, sign, isOff, onClick) => (
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
export function QuestionCard({ question, index, count, view, errors, change, move, remove }) {
  const { tc, tl } = useTranslation();
  const idOf = (member) => `question-${index}-${member}`;
  const faultOf = (member) => errors[`questions/${index}/${member}`];
  const field = (member, control, more = {}) => (
    <FormField name={idOf(member)} label={tc(`QuestionsEditor.${member}`)} fault={faultOf(member)} {...more}>
      {control}
    </FormField>
  );
  const props = (member, help) => ({
    id: idOf(member),
    value: question[member],
    ...describing(idOf(member), faultOf(member), help),
    onChange: ({ target }) => change({ [member]: target.value }),
  });
  const select = (member, options) => (
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
      {field('label', <input {...props('label')} type="text" maxLength={view.limits.label} autoComplete="off" />, {
        mark: tl('required'),
      })}
      <div className={view.scopes.length > 0 ? 'gt-field-row' : undefined}>
        {field('kind', select('kind', view.kinds))}
        {view.scopes.length > 0 ? field('scope', select('scope', view.scopes)) : null}
      </div>
      {HAS_CHOICES.has(question.kind)
        ? field('choices', <textarea {...props('choices', true)} rows={4} maxLength={6000} />, {
            help: tc('QuestionsEditor.choicesHelp'),
            mark: tl('required'),
          })
        : null}
      {field('help', <input {...props('help')} type="text" maxLength={view.limits.help} autoComplete="off" />, {
        mark: tc('BoxOffice.optional'),
      })}
      <label className="gt-check">
        <input type="checkbox" checked={question.required} onChange={({ target }) => change({ required: target.checked })} />
        {tc(question.kind === 'yes_no' ? 'QuestionsEditor.mustBeYes' : 'QuestionsEditor.required')}
      </label>
    </li>
  );
}
